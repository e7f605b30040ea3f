import { type Call, eventCall, goalCall, purchaseCall, stageCall } from './calls';
import { Connection } from './connection';
import { Members } from './members';
import { present } from './page-address';
import { syncPushConsent } from './push-consent';
import { Reports } from './reports';
import { readSettings, type Settings } from './settings';
import type {
  DebugScheme,
  GoalOptions,
  IdentifyResult,
  InitOptions,
  Link,
  OptIn,
  Profile,
  PushConsent,
  Session,
  Stage,
  Tracker,
} from './types';

/** The public methods for pages and native code. */
export class WebTracker implements Tracker {
  private readonly settings: Settings;
  private readonly connection: Connection;
  private readonly members: Members;
  private readonly reports: Reports;

  /** @throws TypeError for invalid options */
  constructor(options: InitOptions) {
    this.settings = readSettings(options);
    this.connection = new Connection(this.settings);
    this.members = this.connection.members;
    this.reports = new Reports(this.settings.apiUrl, this.settings.appId);
  }

  start(): void {
    this.connection.start();
  }

  trackPurchase(amount: number, currency: string, options?: GoalOptions): void {
    this.track(() => purchaseCall(amount, currency, options));
  }

  trackGoal(
    goalType: string | null,
    goalValue: number,
    currency?: string | null,
    options?: GoalOptions,
  ): void {
    this.track(() => goalCall(goalType, goalValue, currency, options));
  }

  trackSignup(): void {
    this.trackGoal('signup', 1);
  }

  trackConversion(
    eventName: string | null,
    value: number,
    currency?: string | null,
    options?: GoalOptions,
  ): void {
    this.trackGoal(eventName, value, currency, options);
  }

  trackEvent(eventType: string, eventData?: Record<string, unknown>): void {
    this.track(() => eventCall(eventType, eventData));
  }

  trackStage(stage: Stage): void {
    this.track(() => stageCall(stage));
  }

  registerLink(link: Link): void {
    const said = present(link);
    if (said) this.connection.tie(said);
  }

  async identify(profile: Profile): Promise<IdentifyResult> {
    const signed = this.connection.signed(profile);
    const result = await this.members.identify(signed);
    const { externalUserId, identitySignature } = signed;
    this.connection.linkUser({ externalUserId, identitySignature });
    return result;
  }

  optIn(consents: OptIn): Promise<unknown> {
    return this.members.optIn(this.connection.signed(consents));
  }

  async withdraw(externalUserId: string): Promise<unknown> {
    const result = await this.members.withdraw(externalUserId);
    this.connection.end();
    return result;
  }

  syncPushConsent(consent: PushConsent): void {
    syncPushConsent(consent);
  }

  reset(): void {
    this.members.forget();
    this.connection.end();
  }

  getSession(): Session | null {
    return this.connection.session;
  }

  refreshSession(): Promise<Session> {
    return this.connection.refresh();
  }

  notifyReady(): void {
    this.connection.notifyReady();
  }

  flush(): Promise<void> {
    return this.connection.flush();
  }

  updateFingerprint(token: string, { isCampaign = false }: { isCampaign?: boolean } = {}): Promise<void> {
    return this.reports.updateFingerprint(token, isCampaign);
  }

  trackStoreVisit(token: string, { isCampaign = false }: { isCampaign?: boolean } = {}): void {
    this.reports.trackStoreVisit(token, isCampaign);
  }

  debugScheme(info: DebugScheme): void {
    this.reports.debugScheme(info);
  }

  /** Logs errors instead of throwing them: tracking must never break the page around it. */
  private track(call: () => Call): void {
    try {
      this.connection.send(call());
    } catch (error) {
      console.error('[Waypost] Not tracked:', error instanceof Error ? error.message : error);
    }
  }
}
