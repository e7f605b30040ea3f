import type { ClickTarget } from './click-targets';
import { DAYS } from './demo';
import { type Random, Weighted } from './random';

const DAY_MS = 86_400_000;
/** Monday first. */
const WEEKDAYS = [1, 1.02, 1.04, 1.06, 1.15, 0.88, 0.92];
/** Clicks on the last day as a multiple of those on the first. */
const GROWTH = 2.1;

/** The clicks of one UTC day. */
export interface ClickDay {
  readonly day: number;
  readonly isWeekend: boolean;
  readonly count: number;
  readonly targets: Weighted<ClickTarget>;
}

/** Spreads clicks over days and targets: growth, weekdays, launches, and some chance. The counts add up to `clicks`. */
export function scheduleClicks(
  targets: readonly ClickTarget[],
  { from, to, clicks }: { from: number; to: number; clicks: number },
  random: Random,
): ClickDay[] {
  const first = from - (from % DAY_MS);
  const days = Array.from({ length: DAYS + 1 }, (_, i) => first + i * DAY_MS).filter((day) => day < to);
  const open = days.map((day, i) => {
    const weekday = (new Date(day).getUTCDay() + 6) % 7;
    const part = Math.min(1, (to - day) / DAY_MS);
    const trend = 1 + ((GROWTH - 1) * i) / DAYS;
    const factor = part * trend * (WEEKDAYS[weekday] ?? 1) * (0.9 + 0.2 * random.next());
    const shares = targets.flatMap((target) => {
      const share = shareOn(target, day);
      return share > 0 ? [[share, target] as const] : [];
    });
    const ofDay = new Weighted(shares);
    return { day, isWeekend: weekday >= 5, weight: factor * ofDay.total, targets: ofDay };
  });
  const whole = open.reduce((sum, { weight }) => sum + weight, 0);
  let [weighed, given] = [0, 0];
  return open.map(({ weight, ...day }) => {
    weighed += weight;
    const count = Math.round((clicks * weighed) / whole) - given;
    given += count;
    return { ...day, count };
  });
}

function shareOn({ from, to, share, launch }: ClickTarget, day: number): number {
  if (day + DAY_MS <= from || day >= to) return 0;
  const age = Math.max(0, (day - from) / DAY_MS);
  return share * (1 + launch.factor * Math.exp(-age / launch.days));
}
