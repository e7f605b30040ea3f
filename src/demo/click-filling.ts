import { Database } from '../infrastructure/database/database';
import { ClickIngest } from '../modules/click-statistics/counting/click-ingest';
import type { EnrichedClick } from '../modules/click-statistics/enriched-click';
import { ClickIds } from '../modules/clicks/click-recorder';
import { Countries } from '../modules/clicks/visitor-facts';
import { ClickMaker, type MadeClick } from './click-maker';
import { scheduleClicks } from './click-schedule';
import type { ClickTarget } from './click-targets';
import { type Demo, randomOf } from './demo';
import { Visitors } from './visitors';

/** Clicks of a transaction; the batches are the same in every run, so that an interrupted one can be continued. */
const BATCH = 40_000;
const TOLD_EVERY = 100_000;

/**
 * Counts the clicks of the demo as a worker counts those of visitors.
 * @param counted clicks of people that an earlier run has counted
 */
export async function fillClicks(
  demo: Demo,
  targets: readonly ClickTarget[],
  counted: number,
): Promise<void> {
  const ingest = demo.get(ClickIngest);
  const database = demo.get(Database);
  const startedAt = performance.now();
  let [done, told, people] = [0, 0, 0];
  let writing: Promise<unknown> = Promise.resolve();
  for (const batch of batchesOf(demo, targets)) {
    done += batch.length;
    people += batch.filter(({ isBot }) => !isBot).length;
    if (people > counted) {
      const prepared = await ingest.prepare(batch.map(({ click }) => click));
      await writing;
      if (demo.stopping.aborted) return;
      writing = write(database, ingest, prepared);
      // Awaited after the next batch is prepared.
      writing.catch(() => undefined);
    }
    if (done - told < TOLD_EVERY && done < demo.clicks) continue;
    told = done;
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    demo.say(`Clicks: ${done.toLocaleString('en')} of ${demo.clicks.toLocaleString('en')} (${seconds} s)`);
  }
  await writing;
}

function write(database: Database, ingest: ClickIngest, prepared: readonly EnrichedClick[]): Promise<number> {
  return database.write((tx) => ingest.ingest(tx, prepared));
}

function* batchesOf(demo: Demo, targets: readonly ClickTarget[]): Generator<MadeClick[]> {
  const { caller, from, to, clicks } = demo;
  const random = randomOf('clicks');
  const days = scheduleClicks(targets, { from, to, clicks }, random);
  const visitors = new Visitors(demo.get(Countries), clicks);
  const maker = new ClickMaker(caller.organizationId, visitors, random, demo.get(ClickIds));
  let batch: MadeClick[] = [];
  for (const { day, isWeekend, count, targets: ofDay } of days) {
    for (let i = 0; i < count; i++) {
      batch.push(maker.make(ofDay.pick(random), { day, isWeekend, to }));
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
