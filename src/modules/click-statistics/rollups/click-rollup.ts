import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';
import { dimensionValue } from './dimensions';
import type { EnrichedClick } from '../counting/enriched-click';

/** Clicks added up. */
export interface Tally {
  clicks: number;
  botClicks: number;
  /** Clicks by value of each dimension, people only. */
  values: Map<string, number>;
}

/** What a batch adds to one link or campaign on one UTC day. */
export interface DayRollup extends Tally {
  kind: TrackedLinkKind;
  trackedLinkId: number;
  organizationId: number;
  /** `YYYY-MM-DD` */
  day: string;
}

/** More than the number of any kind. */
const KINDS = 8;

/** Adds clicks up, in the order of the rollup tables' keys, so that two batches lock rows in one order. */
export function rollUp(clicks: readonly EnrichedClick[]): DayRollup[] {
  // By day, then by tracked link: keys of text would take longer than the adding up.
  const days = new Map<string, Map<number, DayRollup>>();
  for (const enriched of clicks) {
    const { click, day } = enriched;
    let rollups = days.get(day);
    if (!rollups) days.set(day, (rollups = new Map<number, DayRollup>()));
    const key = click.trackedLinkId * KINDS + TRACKED_LINK_KIND[click.kind];
    let rollup = rollups.get(key);
    if (!rollup) {
      const { kind, trackedLinkId, organizationId } = click;
      rollup = { kind, trackedLinkId, organizationId, day, clicks: 0, botClicks: 0, values: new Map() };
      rollups.set(key, rollup);
    }
    if (enriched.isBot) rollup.botClicks++;
    else addPerson(rollup, enriched);
  }
  return [...days.values()]
    .flatMap((rollups) => [...rollups.values()])
    .sort(
      (a, b) =>
        a.trackedLinkId - b.trackedLinkId ||
        TRACKED_LINK_KIND[a.kind] - TRACKED_LINK_KIND[b.kind] ||
        (a.day < b.day ? -1 : a.day > b.day ? 1 : 0),
    );
}

/** Counts a person's click. */
export function addPerson(rollup: Tally, { hour, dimensions }: EnrichedClick): void {
  rollup.clicks++;
  increment(rollup.values, HOURS[hour] ?? '');
  for (const value of dimensions) increment(rollup.values, value);
}

const HOURS = Array.from({ length: 24 }, (_, hour) => dimensionValue('hour', String(hour).padStart(2, '0')));

function increment(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}
