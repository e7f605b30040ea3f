/** What `Waypost.init` takes. */
export interface InitOptions {
    /** Id of the app at Waypost, as your server sends it in `X-App-ID`. */
    appId: number | string;
    /**
     * Where your server hands calls on to Waypost with the app's key: `/waypost`, or a whole address. Without it only the
     * calls that need no key work: `updateFingerprint`, `trackStoreVisit` and `debugScheme`.
     */
    proxyUrl?: string;
    /** Origin of Waypost, for the calls that need no key. Default: where the script has come from. */
    apiUrl?: string;
    /** What led here. Default: what `waypost-token`, `-url`, `-campaign` or `-code` in the page's address say. */
    link?: Link;
    /** Your member, when one is logged in. */
    externalUserId?: string;
    /** Version of your own application. */
    appVersion?: string;
    /** A session ends after so many minutes in which nothing happens. Default: 30. */
    sessionTimeoutMinutes?: number;
    /** Which cookies calls of your server carry. Default: `same-origin`. */
    credentials?: RequestCredentials;
}
/** A link or campaign, by what is known of it. */
export interface Link {
    /** Token of the page that opens the app. */
    token?: string;
    urlId?: number;
    campaignId?: number;
    shortCode?: string;
}
/** A session as far as the page needs it. */
export interface Session {
    sessionId: string;
    externalUserId: string | null;
    urlId: number | null;
    campaignId: number | null;
    /** That of the link: used where no goal type is given. */
    goalType: string | null;
}
export interface GoalOptions {
    /** Your own number of the payment or conversion: however often it is told, it counts once. */
    transactionId?: string | number;
}
export type Stage = 'CLICKED' | 'STORE_VISITED' | 'APP_INSTALLED' | 'APP_OPENED' | 'DEEP_LINK_RESOLVED' | 'CONTENT_VIEWED' | 'ACTION_TAKEN' | 'GOAL_COMPLETED';
/** Consents. One that is null or missing stays as it is. */
export interface Consents {
    smsOptIn?: boolean | null;
    emailOptIn?: boolean | null;
    pushOptIn?: boolean | null;
    smsAdOptIn?: boolean | null;
    emailAdOptIn?: boolean | null;
    pushAdOptIn?: boolean | null;
    nightAdOptIn?: boolean | null;
    alimtalkAdOptIn?: boolean | null;
    whatsappOptIn?: boolean | null;
}
/** A member of yours. What is missing stays as it is. */
export interface Profile extends Consents {
    externalUserId: string;
    name?: string | null;
    phone?: string | null;
    email?: string | null;
    /** What the push service knows the member's device by. */
    pushIdentify?: string | null;
    customFields?: Record<string, unknown> | null;
}
export interface OptIn extends Consents {
    externalUserId: string;
}
export interface IdentifyResult {
    success: boolean;
    action: 'created' | 'updated' | 'reactivated';
    externalUserId: string;
}
/** What native code is told of push consents. */
export interface PushConsent {
    /** The push identifier, or the member where there is none. */
    identify: string;
    /** Null: not known here; what native code knows stays. */
    pushOptIn: boolean | null;
    pushAdOptIn: boolean | null;
}
/** What is told to `LinkBridge`. */
export interface ReadySignal {
    event: 'READY';
    sessionId: string | null;
    platform: 'WEB';
    /** Which native layer the page is in. */
    bridge: 'IOS' | 'ANDROID';
    appId: number;
    sdkVersion: string;
    externalUserId: string | null;
    goalType: string | null;
    urlId: number | null;
    campaignId: number | null;
    /** False: initialization has failed, and `error` says why. */
    initialized: boolean;
    reason: 'init' | 'resume' | 'manual';
    url: string;
    error: string | null;
}
/** How a page tried to open an app. */
export interface DebugScheme {
    appUrl?: string;
    schemeEnd?: string;
    pathPart?: string;
    androidPackage?: string;
    appScheme?: string;
    intentUrl?: string;
}
/**
 * Waypost on this page. What is tracked is kept in the browser until Waypost has it: offline, over reloads, once.
 * Tracking never throws: what it can't use is said in the browser's console.
 */
export interface Tracker {
    /** A purchase: the goal `purchase_<CURRENCY>`. */
    trackPurchase(amount: number, currency: string, options?: GoalOptions): void;
    /** A conversion. Null takes the goal type of the link that led here. */
    trackGoal(goalType: string | null, goalValue: number, currency?: string | null, options?: GoalOptions): void;
    /** The goal `signup` with the value 1. */
    trackSignup(): void;
    /** The same as `trackGoal`. */
    trackConversion(eventName: string | null, value: number, currency?: string | null, options?: GoalOptions): void;
    /** An event of your own, at most 50 characters. */
    trackEvent(eventType: string, eventData?: Record<string, unknown>): void;
    /** A stage of the funnel. Each counts once in a session. */
    trackStage(stage: Stage): void;
    /** Says what led here, where the page has learned it by itself. */
    registerLink(link: Link): void;
    /** Saves a member through your server. Waits for the network; rejects when the member is refused. */
    identify(profile: Profile): Promise<IdentifyResult>;
    /** Saves consents of a member who has been identified. Waits for the network; rejects when they are refused. */
    optIn(consents: OptIn): Promise<unknown>;
    /** Withdraws the member: what is stored of the person is deleted, and the session ends. Not reversible. */
    withdraw(externalUserId: string): Promise<unknown>;
    /** Tells native code of push consents that your server has saved by itself. Nothing without a bridge. */
    syncPushConsent(consent: PushConsent): void;
    /** Forgets member and session, at a logout. */
    reset(): void;
    /** The session; null while there is none. */
    getSession(): Session | null;
    /** Reads the session anew from Waypost, and begins another where it is over. */
    refreshSession(): Promise<Session>;
    /** Sends READY to native code once more. */
    notifyReady(): void;
    /** Sends what waits, now. */
    flush(): Promise<void>;
    /** Tells of this device before going to an app, so that its first start finds the click again. */
    updateFingerprint(token: string, options?: {
        isCampaign?: boolean;
    }): Promise<void>;
    /** Tells that the page goes to the app store. */
    trackStoreVisit(token: string, options?: {
        isCampaign?: boolean;
    }): void;
    /** Shows how the page tried to open an app, in the console, for 24 hours. */
    debugScheme(info: DebugScheme): void;
}
/** Version of the SDK. */
export declare const version: string;
/**
 * Begins tracking on this page. It returns at once; what is tracked before the session is there waits for it.
 * Called again, it returns the tracker that is there.
 * @throws TypeError for options that can't work
 */
export declare function init(options: InitOptions): Tracker;
/** The tracker; null before `init`. Native code reaches it as `Waypost.getInstance()`. */
export declare function getInstance(): Tracker | null;
