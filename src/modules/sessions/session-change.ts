import type { AppCaller } from '../../access/caller';
import { PURCHASE, type Stage } from './funnel';
import type { Goal } from './goal';
import { SessionDeltas } from './rollups/session-deltas';
import { type DeviceInfo, hasReached, type Session, withStage } from './session';

/** Fields of a session that a client may send with any call. */
export type SessionFacts = Partial<
  Pick<
    Session,
    | 'trackedLink'
    | 'externalUserId'
    | 'goalType'
    | 'deviceInfo'
    | 'utmSource'
    | 'utmMedium'
    | 'utmTerm'
    | 'utmContent'
    | 'referrer'
    | 'landingUrl'
    | 'country'
    | 'customId'
    | 'clientTimestamp'
    | 'clientTimezone'
  >
>;

/** Pending changes to a session whose row the transaction has locked. SessionStore saves them with the rollups. */
export class SessionChange {
  readonly sums = new SessionDeltas();
  private current: Session;

  /**
   * @param stored the row as read
   * @param isNew whether the transaction has inserted it, so that rollups do not include it yet
   */
  constructor(
    readonly stored: Session,
    readonly isNew: boolean,
    readonly at: Date,
  ) {
    this.current = stored;
  }

  get session(): Session {
    return this.current;
  }

  get isChanged(): boolean {
    return this.current !== this.stored;
  }

  /** Whether the session has been linked to a user, or to another one. */
  get isNewlyLinked(): boolean {
    const { externalUserId } = this.current;
    return !this.isNew && externalUserId !== null && externalUserId !== this.stored.externalUserId;
  }

  set(fields: Partial<Session>): void {
    const before: Partial<Session> = this.current;
    const names = Object.keys(fields) as (keyof Session)[];
    const isSame = names.every((name) => JSON.stringify(before[name]) === JSON.stringify(fields[name]));
    if (!isSame) this.current = { ...this.current, ...fields };
  }

  /** Sets fields that are still empty; a user replaces the previous one. */
  learn({ externalUserId, deviceInfo, ...facts }: SessionFacts): void {
    const { current } = this;
    const news = (Object.keys(facts) as (keyof typeof facts)[]).filter(
      (name) => (facts[name] ?? null) !== null && current[name] === null,
    );
    this.set(Object.fromEntries(news.map((name) => [name, facts[name]])));
    if (externalUserId) this.set({ externalUserId });
    if (deviceInfo)
      this.set({ deviceInfo: { ...withoutNulls(deviceInfo), ...withoutNulls(current.deviceInfo) } });
  }

  /**
   * Continues the session of a click in an app. The publishable key may read it from then on, unless it is the session
   * of another member than the caller.
   */
  continueIn({ appId, key }: Pick<AppCaller, 'appId' | 'key'>, member: string | null = null): void {
    this.set({ appId });
    const isFree = [null, member].includes(this.current.externalUserId);
    if (key === 'publishable' && isFree) this.set({ publishable: true });
  }

  /** @returns false if the session had reached the stage before */
  reach(stage: Stage, at = this.at): boolean {
    if (hasReached(this.current, stage)) return false;
    this.set(withStage(this.current, stage, at));
    return true;
  }

  addGoal(goal: Goal): void {
    this.sums.addGoal(goal);
    if (goal.goalType === PURCHASE) this.set({ purchased: true });
    this.touch();
  }

  addEvent(): void {
    this.set({ events: this.current.events + 1 });
    this.touch();
  }

  touch(): void {
    if (this.at > this.current.lastActivityAt) this.set({ lastActivityAt: this.at });
  }
}

function withoutNulls(device: DeviceInfo | null): DeviceInfo {
  return Object.fromEntries(Object.entries(device ?? {}).filter(([, value]) => (value ?? null) !== null));
}
