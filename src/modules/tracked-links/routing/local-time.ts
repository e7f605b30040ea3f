/** A moment on the clocks of a time zone. */
export interface DayTime {
  /** Days since Monday, 0 to 6. */
  weekday: number;
  /** Minutes since midnight. */
  minute: number;
}

const MINUTE_MS = 60_000;
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Reads the clocks of one time zone. The last answer is kept for its minute, because formatting is slow. */
class ZoneClock {
  private readonly format: Intl.DateTimeFormat;
  private minuteOfEpoch = NaN;
  private dayTime: DayTime = { weekday: 0, minute: 0 };

  constructor(timeZone: string) {
    const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    this.format = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short', ...clock });
  }

  at(now: number): DayTime {
    const minuteOfEpoch = Math.floor(now / MINUTE_MS);
    if (minuteOfEpoch !== this.minuteOfEpoch) {
      const parts = new Map(this.format.formatToParts(now).map(({ type, value }) => [type, value]));
      const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
      this.dayTime = { weekday: DAYS.indexOf(parts.get('weekday') ?? ''), minute };
      this.minuteOfEpoch = minuteOfEpoch;
    }
    return this.dayTime;
  }
}

/** By IANA name, of which there are a few hundred. */
const clocks = new Map<string, ZoneClock>();

/** @param now milliseconds since the epoch @param timeZone canonical IANA name; UTC when null */
export function localTimeOf(now: number, timeZone: string | null): DayTime {
  const name = timeZone ?? 'UTC';
  let clock = clocks.get(name);
  if (!clock) clocks.set(name, (clock = new ZoneClock(name)));
  return clock.at(now);
}

const RANGE = /^([01]\d|2[0-3]):([0-5]\d)-(?:([01]\d|2[0-3]):([0-5]\d)|(24:00))$/;

/** Minutes since midnight of `09:00-18:00`, without the end; `22:00-06:00` is over midnight. Null for other texts. */
export function timeRangeOf(text: string): { from: number; to: number } | null {
  const [matched, fromHour, fromMinute, toHour, toMinute] = RANGE.exec(text) ?? [];
  if (matched === undefined) return null;
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const to = toHour === undefined ? 24 * 60 : Number(toHour) * 60 + Number(toMinute);
  return from === to ? null : { from, to };
}
