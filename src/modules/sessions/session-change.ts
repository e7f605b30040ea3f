import { PURCHASE, type Stage } from './funnel';
import type { Goal } from './goals/goal';
import { JourneySums } from './rollups/session-deltas';
import { bitOf, type DeviceInfo, hasReached, type Session } from './session';

/** What a client may tell of a session, at any time. */
export type SessionFacts = Partial<
  Pick<
    Session,
    | 'target'
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

/** A session that a transaction has locked, as it is to be; SessionStore keeps it with its figures. */
export class SessionChange {
  /** What else is added to the figures with it. */
  readonly sums = new JourneySums();
  private current: Session;

  /**
   * @param stored as its row is
   * @param isNew whether the transaction has made it: nothing of it is in the figures yet
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

  /** Whether it is somebody's now, or somebody else's than before. */
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

  /** Adds what is not known yet; a user that is named replaces the one before. */
  learn({ externalUserId, deviceInfo, ...facts }: SessionFacts): void {
    const { current } = this;
    const news = (Object.keys(facts) as (keyof typeof facts)[]).filter(
      (name) => (facts[name] ?? null) !== null && current[name] === null,
    );
    this.set(Object.fromEntries(news.map((name) => [name, facts[name]])));
    if (externalUserId) this.set({ externalUserId });
    if (deviceInfo) this.set({ deviceInfo: { ...given(deviceInfo), ...given(current.deviceInfo) } });
  }

  /** @returns false when it had reached that stage before */
  reach(stage: Stage): boolean {
    if (hasReached(this.current, stage)) return false;
    this.set({ stages: this.current.stages | bitOf(stage) });
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

  /** Something happens in it now. */
  touch(): void {
    if (this.at > this.current.lastActivityAt) this.set({ lastActivityAt: this.at });
  }
}

function given(device: DeviceInfo | null): DeviceInfo {
  return Object.fromEntries(Object.entries(device ?? {}).filter(([, value]) => (value ?? null) !== null));
}
