import { Api, NO_KEY } from './api';
import { type Call, stageCall } from './calls';
import { onForeground, shown } from './foreground';
import { Members } from './members';
import { OneTab } from './one-tab';
import { Queue } from './queue';
import { Ready } from './ready';
import { Sessions } from './sessions';
import type { Settings } from './settings';
import { Store } from './store';
import type { Link, Member, Session } from './types';
import { SDK_VERSION } from './version';

/** Stages that a visit through a link has reached (docs/concepts/sessions.md#stages). */
const REACHED_BY_LINK = ['CLICKED', 'DEEP_LINK_RESOLVED'] as const;

/** The page's session, from the first attempt to start it, and the calls in it. */
export class Connection {
  readonly members: Members;
  private readonly api: Api | null;
  private readonly store: Store;
  private readonly oneTab: OneTab;
  private readonly sessions: Sessions;
  private readonly queue: Queue | null;
  private readonly ready: Ready;
  private isInitialized = false;
  private hasFailed = false;
  private error: string | null = null;
  private link: Link | null;
  /** The first attempt to start a session. */
  private starting: Promise<void> = Promise.resolve();

  constructor(private readonly settings: Settings) {
    const { appId } = settings;
    const name = `waypost.${String(appId)}.`;
    const api = settings.api && new Api(settings.api, appId);
    this.api = api;
    this.link = settings.link;
    this.store = new Store(name);
    this.oneTab = new OneTab(name, this.store);
    this.members = new Members(api, this.store);
    this.sessions = new Sessions(api, this.store, settings);
    this.ready = new Ready(() => this.state());
    const connect = () => this.open();
    const { store, sessions, oneTab } = this;
    this.queue = api && new Queue({ api, store, sessions, oneTab, connect });
  }

  get session(): Session | null {
    return this.sessions.live;
  }

  start(): void {
    if (this.link) this.tie(this.link);
    if (this.settings.member) this.linkUser(this.settings.member);
    this.starting = shown().then(() => this.begin());
    onForeground((isReturn) => void this.foreground(isReturn));
    addEventListener('online', () => void this.begin());
  }

  send({ path, body }: Call): void {
    if (!this.queue) throw new TypeError(NO_KEY);
    this.sessions.touch();
    this.queue.add({ path, body, sessionId: this.sessions.live?.sessionId ?? null });
  }

  /** Registers the link of the visit with the session, once however often the page is loaded. */
  tie(link: Link): void {
    const text = JSON.stringify(link);
    const { live } = this.sessions;
    if (live && this.store.get('link') === text) return;
    this.store.set('link', text);
    // A session that starts on this page includes the link, unless only its code is known.
    if (live || link !== this.link || link.shortCode) {
      this.queue?.add({
        path: '/session/register-link',
        body: { ...link },
        sessionId: live?.sessionId ?? null,
        isTold: true,
      });
    }
    if (this.queue) for (const stage of REACHED_BY_LINK) this.send(stageCall(stage));
  }

  /** Adds the signature that an earlier call on this page had for the same member. */
  signed<M extends Member>(member: M): M {
    const known = this.sessions.member;
    if (known?.externalUserId !== member.externalUserId) return member;
    return { ...member, identitySignature: member.identitySignature ?? known.identitySignature };
  }

  /** Links the session to this member; the session of another member ends. */
  linkUser(member: Member): void {
    const { externalUserId } = member;
    const known = this.sessions.live?.externalUserId ?? null;
    this.sessions.member = member;
    if (known === externalUserId) return;
    if (known !== null) this.sessions.forget();
    const sessionId = this.sessions.live?.sessionId ?? null;
    this.queue?.add({ path: '/session/:id/link-user', body: { ...member }, sessionId, isTold: true });
  }

  end(): void {
    this.sessions.member = null;
    this.sessions.forget();
  }

  async refresh(): Promise<Session> {
    const session = await this.oneTab.run(() => this.sessions.refresh());
    this.succeeded();
    return session;
  }

  notifyReady(): void {
    void this.starting.then(() => this.ready.send('manual'));
  }

  async flush(): Promise<void> {
    await this.queue?.flush();
  }

  /** Starts a session, at first and whenever the page returns to the foreground without one. */
  private async begin(): Promise<void> {
    if (!this.queue) {
      this.failed(NO_KEY);
      return;
    }
    try {
      if (!this.sessions.live) await this.oneTab.run(() => this.open());
      this.sessions.touch();
      this.succeeded();
      await this.flush();
    } catch {
      // `open` has stored the error, which READY reports.
    }
  }

  private async open(): Promise<Session> {
    try {
      const session = await this.sessions.open(this.link);
      // The link belongs to this session only, and not to a later one on a page that stays open.
      this.link = null;
      this.succeeded();
      return session;
    } catch (error) {
      this.failed(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  private failed(error: string): void {
    this.error = error;
    if (this.isInitialized || this.hasFailed) return;
    this.hasFailed = true;
    this.ready.init();
  }

  private succeeded(): void {
    this.error = null;
    if (this.isInitialized) return;
    this.isInitialized = true;
    this.ready.init();
  }

  private async foreground(isReturn: boolean): Promise<void> {
    await this.begin();
    if (isReturn) this.ready.send('resume');
  }

  private state() {
    const { appId } = this.settings;
    const session = this.sessions.live;
    const trouble = this.api?.trouble ?? null;
    return {
      sessionId: session?.sessionId ?? null,
      appId,
      sdkVersion: SDK_VERSION,
      externalUserId: session?.externalUserId ?? this.sessions.member?.externalUserId ?? null,
      goalType: session?.goalType ?? null,
      urlId: session?.urlId ?? null,
      campaignId: session?.campaignId ?? null,
      initialized: this.isInitialized && trouble === null,
      error: trouble ?? this.error,
    };
  }
}
