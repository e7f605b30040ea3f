/** Options of `Waypost.init`. */
export interface InitOptions {
  /** Id of the app in Waypost. */
  appId: number | string;
  /**
   * Publishable key of the app, `wp_pub_…`. With neither this nor `proxyUrl`, only the calls that need no key work:
   * `updateFingerprint`, `trackStoreVisit` and `debugScheme`; READY reports it.
   */
  publishableKey?: string;
  /** Instead of `publishableKey`: where your server forwards calls with the secret key, `/waypost` or a full URL. */
  proxyUrl?: string;
  /** Origin of Waypost. Default: the origin of the script; the module has none. */
  apiUrl?: string;
  /** The link that led here. Default: `waypost-token`, `-url`, `-campaign` or `-code` in the query of the page. */
  link?: Link;
  /** Your id of the logged-in member, if any. */
  externalUserId?: string;
  /** Signature of `externalUserId`, which Waypost requires with `publishableKey`. */
  identitySignature?: string;
  /** Version of your application. */
  appVersion?: string;
  /** Minutes of inactivity after which a session ends. Default: 30. */
  sessionTimeoutMinutes?: number;
  /** Credentials mode of calls to `proxyUrl`, as in `fetch`. Default: `same-origin`. */
  credentials?: RequestCredentials;
}

/** A link or campaign, by any one identifier. */
export interface Link {
  /** Token of the page that opens the app. */
  token?: string;
  urlId?: number;
  campaignId?: number;
  shortCode?: string;
}

/** The session of the page. */
export interface Session {
  sessionId: string;
  externalUserId: string | null;
  urlId: number | null;
  campaignId: number | null;
  /** Goal type of the link: the default for goals without one. */
  goalType: string | null;
}

export interface GoalOptions {
  /** Your id of the payment or conversion; repeated calls with it count once. */
  transactionId?: string | number;
}

export type Stage =
  | 'CLICKED'
  | 'STORE_VISITED'
  | 'APP_INSTALLED'
  | 'APP_OPENED'
  | 'DEEP_LINK_RESOLVED'
  | 'CONTENT_VIEWED'
  | 'ACTION_TAKEN'
  | 'GOAL_COMPLETED';

/** A member, as confirmed by your server. */
export interface Member {
  externalUserId: string;
  /**
   * Hex HMAC-SHA256 of `externalUserId` with the app's secret key, made by your server at sign-in. Required with
   * `publishableKey`, unless an earlier call on this page had it.
   */
  identitySignature?: string;
}

/** Consents. Null or missing ones stay unchanged. */
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

/** A member. Missing fields stay unchanged. */
export interface Profile extends Member, Consents {
  name?: string | null;
  phone?: string | null;
  email?: string | null;
  /** Identifier of the member's device at the push service. */
  pushIdentify?: string | null;
  customFields?: Record<string, unknown> | null;
}

export interface OptIn extends Member, Consents {}

export interface IdentifyResult {
  success: boolean;
  action: 'created' | 'updated' | 'reactivated';
  externalUserId: string;
  /** Stored consents; absent if your server does not pass them on. */
  pushOptIn?: boolean;
  pushAdOptIn?: boolean;
}

/** Push consents as passed to native code. */
export interface PushConsent {
  /** The push identifier, or the member's id without one. */
  identify: string;
  pushOptIn: boolean;
  pushAdOptIn: boolean;
}

/** The signal sent to `LinkBridge`. */
export interface ReadySignal {
  event: 'READY';
  sessionId: string | null;
  platform: 'WEB';
  /** The native platform around the page. */
  bridge: 'IOS' | 'ANDROID';
  appId: number;
  sdkVersion: string;
  externalUserId: string | null;
  goalType: string | null;
  urlId: number | null;
  campaignId: number | null;
  /** False if initialization failed; `error` has the reason. */
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
 * Waypost on this page. Tracked calls stay in the browser until delivered, offline and across reloads, and count once.
 * Tracking never throws: invalid arguments are logged to the console.
 */
export interface Tracker {
  /** Tracks a purchase: the goal `purchase_<CURRENCY>`. */
  trackPurchase(amount: number, currency: string, options?: GoalOptions): void;
  /** Tracks a conversion. A null type means the goal type of the link that led here. */
  trackGoal(
    goalType: string | null,
    goalValue: number,
    currency?: string | null,
    options?: GoalOptions,
  ): void;
  /** Tracks the goal `signup` with the value 1. */
  trackSignup(): void;
  /** The same as `trackGoal`. */
  trackConversion(
    eventName: string | null,
    value: number,
    currency?: string | null,
    options?: GoalOptions,
  ): void;
  /** Tracks a custom event; its type has at most 50 characters. */
  trackEvent(eventType: string, eventData?: Record<string, unknown>): void;
  /** Tracks a stage of the funnel. Each counts once per session. */
  trackStage(stage: Stage): void;
  /** Registers the link that led here, when the page itself has found it out. */
  registerLink(link: Link): void;
  /** Saves a member. Waits for the network; rejects when refused. */
  identify(profile: Profile): Promise<IdentifyResult>;
  /** Saves consents of an identified member. Waits for the network; rejects when refused. */
  optIn(consents: OptIn): Promise<unknown>;
  /**
   * Withdraws the member: irreversibly deletes their stored data and ends the session. Through `proxyUrl` only; with
   * `publishableKey` it rejects.
   */
  withdraw(externalUserId: string): Promise<unknown>;
  /** Passes push consents that your server saved itself to native code. A no-op without a bridge. */
  syncPushConsent(consent: PushConsent): void;
  /** Forgets member and session. Call it on logout. */
  reset(): void;
  /** Returns the session, or null without one. */
  getSession(): Session | null;
  /** Reloads the session from Waypost, or starts another when it has ended. */
  refreshSession(): Promise<Session>;
  /** Sends READY to native code again. */
  notifyReady(): void;
  /** Sends queued calls now. */
  flush(): Promise<void>;
  /** Reports this device before the page opens an app, so that the app's first start is matched with the click. */
  updateFingerprint(token: string, options?: { isCampaign?: boolean }): Promise<void>;
  /** Reports that the page sends its visitor to the app store. */
  trackStoreVisit(token: string, options?: { isCampaign?: boolean }): void;
  /** Reports how the page tried to open an app; the Waypost console shows it for 24 hours. */
  debugScheme(info: DebugScheme): void;
}
