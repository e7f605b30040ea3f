import type { IdentifyResult, OptIn, Profile, Stage, GoalOptions, Consents } from '../../web/src/types';

export type { Consents, GoalOptions, IdentifyResult, OptIn, Profile, Stage };

/** Options that all platforms share. */
export interface WaypostOptions {
  /** Id of the app in Waypost. */
  appId: number | string;
  /** The app's publishable key, `wp_pub_…`. Never put the secret key into an app. */
  publishableKey: string;
  /** Origin of Waypost's API: `https://api.example.com`. */
  url: string;
  /** Version of your app. Default: what the platform reports. */
  appVersion?: string;
  /** Minutes of inactivity after which a session ends. Default: 30. */
  sessionTimeoutMinutes?: number;
  /** Number of calls that may wait to be sent. Default: 2,000. */
  maxQueuedCalls?: number;
  /** Hosts of your links. Default: every https address that opens the app may be one. */
  linkHosts?: readonly string[];
}

/** Options of the core, for a platform without an adapter. */
export interface CoreOptions extends WaypostOptions {
  platform: Platform;
}

/** Storage that is deleted with the app. */
export interface KeyValueStorage {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<unknown>;
  removeItem(key: string): Promise<unknown>;
  /** All keys, also those of others. */
  keys(): Promise<readonly string[]>;
}

/** What the package needs from a platform. All but `os` and `storage` may be left out. */
export interface Platform {
  os: 'IOS' | 'ANDROID' | 'WEB';
  storage: KeyValueStorage;
  device?(): Device | Promise<Device>;
  /** The address that started the app, if any. */
  initialUrl?(): Promise<string | null>;
  /** Registers a listener for URLs that open the running app. */
  onUrl?(listener: (url: string) => void): void;
  /** Registers a listener for the app coming to the foreground. */
  onForeground?(listener: () => void): void;
  /** Registers a listener for the network coming back. */
  onOnline?(listener: () => void): void;
  /** Google Play's install referrer. */
  installReferrer?(): Promise<string | null>;
  fetch?(url: string, init: RequestInit): Promise<Response>;
  /** Milliseconds since the epoch. */
  now?(): number;
}

/** The device, as far as it is known. */
export interface Device {
  osVersion?: string | null;
  /** For example `SM-S928B` or `iPhone18,1`. */
  model?: string | null;
  isTablet?: boolean | null;
  /** Size of the screen: in pixels, points or dp. */
  screen?: { width: number; height: number } | null;
  /** For example `ko-KR`. */
  language?: string | null;
  timeZone?: string | null;
  appVersion?: string | null;
  userAgent?: string | null;
}

/** A link or campaign that led into the app. */
export interface DeepLink {
  /** Where to go in the app: navigate to it as a whole. Null if the link does not lead into this app. */
  deepLinkUrl: string | null;
  /** Destination on the web. */
  originalUrl: string;
  urlId: number | null;
  campaignId: number | null;
  /** The customer that `cid` in the address of a campaign names. */
  customerId: string | null;
  /** Type of goals that name none. */
  goalType: string | null;
  /** Whether this is the first start since the installation. */
  isFirstLaunch: boolean;
  /** How the link was found. */
  matchedBy: 'token' | 'address' | 'referrer' | 'fingerprint';
  /** The address that opened the app; null at a first start without one. */
  url: string | null;
}

/** A link with a password. */
export interface PasswordRequest {
  /** The address that opened the app. */
  url: string;
  /** LOCKED: too many wrong passwords from this network; try again in ten minutes. */
  reason: 'REQUIRED' | 'WRONG' | 'LOCKED';
  /** Tries a password. `onDeepLink` or `onPasswordRequired` is called next. */
  submit(password: string): void;
}

/** A call that will not be sent. */
export interface DroppedCall {
  /** QUEUE_FULL or TOO_LARGE, or the code with which Waypost refused the call. */
  reason: string;
  /** What Waypost answered; null if the call was never sent. */
  message: string | null;
  /** Path of the API. */
  path: string;
  body: Readonly<Record<string, unknown>>;
}

/** Your server's proof of a member's identity. */
export interface Proof {
  /** Hex HMAC-SHA256 of the member's id, with the app's secret key as its key. */
  identitySignature?: string;
}

/** Push token and push consents of the identified member. */
export interface Push extends Pick<Consents, 'pushOptIn' | 'pushAdOptIn' | 'nightAdOptIn'> {
  /** Identifier of the device at the push service. */
  token?: string | null;
}

export interface Waypost {
  /** Listens for links that open the app or led to its installation. Returns a function that removes the listener. */
  onDeepLink(listener: (link: DeepLink) => void): () => void;
  /** Listens for links that need a password. Returns a function that removes the listener. */
  onPasswordRequired(listener: (request: PasswordRequest) => void): () => void;
  /** Listens for dropped calls. Returns a function that removes the listener. */
  onDropped(listener: (call: DroppedCall) => void): () => void;
  /** Tracks an event; its type has at most 50 characters. */
  trackEvent(eventType: string, eventData?: Record<string, unknown>): Promise<void>;
  /** Tracks a purchase: the goal `purchase_<CURRENCY>`. */
  trackPurchase(amount: number, currency: string, options?: GoalOptions): Promise<void>;
  /** Tracks a conversion. A null type means the goal type of the link that led here. */
  trackGoal(
    goalType: string | null,
    goalValue: number,
    currency?: string | null,
    options?: GoalOptions,
  ): Promise<void>;
  /** Tracks the goal `signup` with the value 1. */
  trackSignup(): Promise<void>;
  /** Tracks a stage of the funnel. Each counts once per session. */
  trackStage(stage: Stage): Promise<void>;
  /** Handles an address that your own code has received, such as that of a push message. */
  openUrl(url: string): Promise<void>;
  /**
   * Saves the member and links this and later sessions to them. Waits for the network; rejects when refused. The
   * signature may be in the profile, as in @waypost/web.
   */
  identify(profile: Profile, proof?: Proof): Promise<IdentifyResult>;
  /** Saves consents of an identified member. Waits for the network; rejects when refused. */
  optIn(consents: Consents & { externalUserId?: string }, proof?: Proof): Promise<void>;
  /** Saves the push token and push consents of the identified member. Waits for the network; rejects when refused. */
  setPush(push: Push): Promise<void>;
  /** Forgets member and session. Call it on logout. */
  reset(): Promise<void>;
  /** Id of the session, for your server or a web view. */
  getSessionId(): Promise<string>;
  /** Tries to send what waits, and resolves after the attempt. */
  flush(): Promise<void>;
}
