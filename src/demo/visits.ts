import { NETWORKS, USER_AGENTS } from './catalogue';
import { DAY_MS, type Demo } from './demo';
import type { ClickTarget, Targets } from './links';
import { happens, int, pick, skewed } from './random';

/** Hour with the fewest visits, UTC: before dawn in Seoul. */
const QUIET_HOUR = 19;

/** Ascending times of visits, in milliseconds since the epoch. */
export function visitTimes(demo: Demo, count: number): Float64Array {
  return new Float64Array(count).map(() => visitTime(demo)).sort();
}

/** The shop grows, and has fewer visits at night and on weekends. */
function visitTime({ from, to }: Demo): number {
  for (;;) {
    const age = Math.random();
    const at = Math.floor(from + age * (to - from));
    const hour = ((at % DAY_MS) / DAY_MS) * 24;
    const ofHour = 0.6 - 0.4 * Math.cos(((hour - QUIET_HOUR) / 12) * Math.PI);
    const ofDay = new Date(at).getUTCDay() % 6 === 0 ? 0.8 : 1;
    if (happens((0.4 + 0.6 * age) * ofHour * ofDay)) return at;
  }
}

/** Picks a link or campaign that is open; the oldest ones are the most frequent. */
export function pickOpen({ campaigns, links }: Targets, at: number): ClickTarget {
  const targets = happens(0.3) ? campaigns : links;
  for (;;) {
    const target = pick(targets);
    if (target.from <= at && at <= target.to) return target;
  }
}

/** Each address always has the same browser, and some addresses come back. */
export function pickVisitor(): { ip: string; userAgent: string } {
  const host = int(256);
  return {
    ip: `${pick(NETWORKS)}.${skewed(16)}.${host}`,
    userAgent: pick(USER_AGENTS, host / 256),
  };
}
