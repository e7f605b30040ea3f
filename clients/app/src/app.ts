import { leadOf } from './address';
import { Api } from './api';
import { type Call, eventCall, goalCall, purchaseCall, stageCall } from './calls';
import { DeviceFacts } from './device';
import { Listeners } from './listeners';
import { Members } from './members';
import { type Opening, Openings, soon } from './openings';
import { type Entry, Queue } from './queue';
import { CREATE, OPENING, Sender } from './sender';
import { Sessions } from './sessions';
import type { Settings } from './settings';
import { Store } from './store';
import type {
  Consents,
  DeepLink,
  DroppedCall,
  GoalOptions,
  IdentifyResult,
  PasswordRequest,
  Profile,
  Proof,
  Push,
  Stage,
  Waypost,
} from './types';
import { uuid } from './uuid';
import { version } from './version';

const LAUNCHED = 'launched';
const LINK_USER = '/cross-platform/session/:id/link-user';
/** React Native's debugger may never answer with the initial address. */
const INITIAL_MS = 3_000;

/** Waypost in one app. */
export class App implements Waypost {
  private readonly store: Store;
  private readonly queue: Queue;
  private readonly sessions: Sessions;
  private readonly device: DeviceFacts;
  private readonly members: Members;
  private readonly sender: Sender;
  private readonly links = new Listeners<DeepLink>();
  private readonly passwordRequests = new Listeners<PasswordRequest>();
  private readonly dropped = new Listeners<DroppedCall>();
  /** The address that started the app, which some platforms report twice. */
  private initial: string | null = null;
  /** Resolves when everything stored is read and the session has begun; never rejects. */
  private readonly ready: Promise<void>;

  constructor(private readonly settings: Settings) {
    const { platform, appId, publishableKey, url, timeoutMs, most, appVersion } = settings;
    const fetch = (to: string, init: RequestInit) =>
      platform.fetch ? platform.fetch(to, init) : globalThis.fetch(to, init);
    const api = new Api({ url, appId, publishableKey, fetch });
    this.store = new Store(platform.storage, `waypost.${String(appId)}.`);
    this.queue = new Queue(this.store, most, (call) => this.dropped.tell(call));
    this.sessions = new Sessions(this.store, timeoutMs);
    this.device = new DeviceFacts(platform, appVersion, version);
    this.members = new Members(api, this.store);
    this.sender = new Sender({
      api,
      queue: this.queue,
      sessions: this.sessions,
      openings: new Openings(api, this.device, platform),
      onLink: (link) => this.links.tell(link),
      onPassword: (entry, reason) => this.askForPassword(entry, reason),
      onDropped: (call) => this.dropped.tell(call),
    });
    this.ready = this.begin().catch((error: unknown) => {
      console.error('[Waypost] Could not start', error);
    });
  }

  onDeepLink(listener: (link: DeepLink) => void): () => void {
    return this.links.add(listener);
  }

  onPasswordRequired(listener: (request: PasswordRequest) => void): () => void {
    return this.passwordRequests.add(listener);
  }

  onDropped(listener: (call: DroppedCall) => void): () => void {
    return this.dropped.add(listener);
  }

  trackEvent(eventType: string, eventData?: Record<string, unknown>): Promise<void> {
    return this.track(() => eventCall(eventType, eventData));
  }

  trackPurchase(amount: number, currency: string, options?: GoalOptions): Promise<void> {
    return this.track(() => purchaseCall(this.os, amount, currency, options));
  }

  trackGoal(
    goalType: string | null,
    goalValue: number,
    currency?: string | null,
    options?: GoalOptions,
  ): Promise<void> {
    return this.track(() => goalCall(this.os, goalType, goalValue, currency, options));
  }

  trackSignup(): Promise<void> {
    return this.trackGoal('signup', 1);
  }

  trackStage(stage: Stage): Promise<void> {
    return this.track(() => stageCall(this.os, stage));
  }

  openUrl(url: string): Promise<void> {
    const at = this.now();
    return this.ready.then(() => this.openAt(url, at));
  }

  async identify(
    { identitySignature: signature, ...profile }: Profile,
    { identitySignature = signature }: Proof = {},
  ): Promise<IdentifyResult> {
    await this.ready;
    const before = this.members.current;
    const result = await this.members.identify(profile, identitySignature);
    const { externalUserId } = profile;
    if (before && before.externalUserId !== externalUserId) await this.sessions.forget();
    const now = this.now();
    const session = this.sessions.live(now);
    if (session === null) await this.beginSession(now);
    else if (JSON.stringify(before) !== JSON.stringify(this.members.current))
      await this.queue.add({ path: LINK_USER, body: { externalUserId }, session, ...this.proof });
    this.sender.start();
    return result;
  }

  async optIn(consents: Consents & { externalUserId?: string }, proof: Proof = {}): Promise<void> {
    await this.ready;
    const { externalUserId = this.member } = consents;
    await this.members.optIn({ ...consents, externalUserId }, proof.identitySignature);
  }

  async setPush({ token, ...consents }: Push): Promise<void> {
    await this.ready;
    const profile = { externalUserId: this.member, pushIdentify: token, ...consents };
    await this.members.identify(profile, undefined);
  }

  async reset(): Promise<void> {
    await this.ready;
    await Promise.all([this.members.forget(), this.sessions.forget()]);
  }

  async getSessionId(): Promise<string> {
    await this.ready;
    const now = this.now();
    return this.sessions.idOf(this.sessions.live(now) ?? (await this.beginSession(now)));
  }

  async flush(): Promise<void> {
    await this.ready;
    await this.sender.flush();
  }

  private get os() {
    return this.settings.platform.os;
  }

  /** The identified member. @throws Error without one */
  private get member(): string {
    const { current } = this.members;
    if (!current) throw new Error('Waypost: identify has not been called');
    return current.externalUserId;
  }

  private get proof(): { identitySignature: string | undefined } {
    return { identitySignature: this.members.current?.identitySignature };
  }

  private now(): number {
    return this.settings.platform.now?.() ?? Date.now();
  }

  private async begin(): Promise<void> {
    const { platform } = this.settings;
    const startedAt = this.now();
    platform.onUrl?.((url) => void this.opened(url));
    const asked = platform.initialUrl?.().catch(() => null) ?? Promise.resolve(null);
    await Promise.all([this.store.load(), this.device.load()]);
    this.queue.load();
    this.initial = (await soon(asked, INITIAL_MS)) ?? null;
    const isFirstLaunch =
      this.store.isReadable && this.store.get(LAUNCHED) === null && !this.queue.some(isFirst);
    const lead = this.initial === null ? null : leadOf(this.initial, this.settings.linkHosts);
    if (lead) await this.beginSession(startedAt, { lead, url: this.initial, isFirstLaunch });
    else if (isFirstLaunch && this.os !== 'WEB')
      await this.beginSession(startedAt, { lead: { by: 'install' }, url: null, isFirstLaunch });
    else if (this.sessions.live(startedAt) === null) await this.beginSession(startedAt);
    await this.store.set(LAUNCHED, true);
    platform.onForeground?.(() => void this.resume());
    platform.onOnline?.(() => this.wake());
    this.sender.start();
  }

  private opened(url: string): Promise<void> {
    const at = this.now();
    return this.ready.then(() => {
      const isInitial = url === this.initial;
      this.initial = null;
      return isInitial ? undefined : this.openAt(url, at);
    });
  }

  /** Begins the session at once: what is tracked next belongs to it. */
  private async openAt(url: string, at: number): Promise<void> {
    const lead = leadOf(url, this.settings.linkHosts);
    if (!lead) return;
    const begun = this.beginSession(at, { lead, url, isFirstLaunch: false });
    this.sender.wake();
    await begun;
  }

  private async resume(): Promise<void> {
    const now = this.now();
    if (this.sessions.live(now) === null) await this.beginSession(now);
    else this.sessions.touch(now, now);
    this.wake();
  }

  private wake(): void {
    this.members.wake();
    this.sender.wake();
  }

  /** Begins a session, with the opening that it belongs to. @returns its local id */
  private async beginSession(at: number, opening?: Opening): Promise<string> {
    const session = uuid();
    const saved = [this.sessions.begin(session, this.now())];
    const time = new Date(at).toISOString();
    const stage = (name: Stage) => ({ ...stageCall(this.os, name).body, timestamp: time });
    const add = (path: string, body: Record<string, unknown>, proof = {}) =>
      saved.push(this.queue.add({ path, body, session, ...proof }).then(() => undefined));
    if (opening) add(OPENING, { ...opening, stages: stage('CLICKED') });
    const member = this.members.current;
    const created = {
      platform: this.os,
      deviceInfo: this.device.info,
      clientTimestamp: time,
      clientTimezone: this.device.timeZone,
      ...(member && { externalUserId: member.externalUserId }),
    };
    add(CREATE, created, member ? this.proof : {});
    const { path } = stageCall(this.os, 'APP_OPENED');
    add(path, stage('APP_OPENED'));
    await Promise.all(saved);
    return session;
  }

  /** Never throws or rejects: tracking must not break the app around it. */
  private async track(make: () => Call): Promise<void> {
    const at = this.now();
    try {
      const call = make();
      await this.ready;
      await this.enqueue(call, at);
    } catch (error) {
      console.error('[Waypost] Not tracked:', error instanceof Error ? error.message : error);
    }
  }

  private async enqueue({ path, body }: Call, at: number): Promise<void> {
    const now = this.now();
    const saved: Promise<unknown>[] = [];
    if (this.sessions.live(now) === null) saved.push(this.beginSession(now));
    const session = this.sessions.live(now) ?? '';
    // Waypost recognizes a repeated event by its time, so that no two may have the same.
    const time = new Date(this.sessions.touch(now, at)).toISOString();
    const timed =
      path === stageCall(this.os, 'CLICKED').path
        ? { ...body, timestamp: time }
        : { ...body, clientTimestamp: time, clientTimezone: this.device.timeZone };
    saved.push(this.queue.add({ path, body: timed, session }));
    this.sender.start();
    await Promise.all(saved);
  }

  private askForPassword(entry: Entry, reason: PasswordRequest['reason']): void {
    const { session, body } = entry;
    const { url } = body as unknown as Opening;
    const submit = (password: string) => {
      this.sender.usePassword(session, password);
      void this.queue.add({ path: OPENING, body, session });
      this.sender.wake();
    };
    this.passwordRequests.tell({ url: url ?? '', reason, submit });
  }
}

function isFirst({ path, body }: Entry): boolean {
  return path === OPENING && body.isFirstLaunch === true;
}
