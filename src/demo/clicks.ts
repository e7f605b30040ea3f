import { Database } from '../infrastructure/database/database';
import { ClickIngest } from '../modules/click-statistics/counting/click-ingest';
import { ClickPartitions } from '../modules/click-statistics/counting/click-partitions';
import type { Click } from '../modules/clicks/click';
import { ClickIds } from '../modules/clicks/click-recorder';
import { CHANNELS, memberId, REFERRERS } from './catalogue';
import { DAYS, type Demo, momentOf } from './demo';
import type { Targets } from './links';
import { contactCount } from './people';
import { happens, pick, skewed } from './random';
import { pickOpen, pickVisitor, visitTimes } from './visits';

const BATCH = 40_000;

/** Creates partitions beforehand: each needs its own transaction, which would wait for one that has written clicks. */
export async function preparePartitions(demo: Demo): Promise<void> {
  const days = Array.from({ length: DAYS + 1 }, (_, day) => new Date(momentOf(demo, day)));
  await demo.get(ClickPartitions).ensure(new Set(days.map((day) => day.toISOString().slice(0, 10))));
}

export async function fillClicks(demo: Demo, targets: Targets): Promise<void> {
  const ingest = demo.get(ClickIngest);
  const times = visitTimes(demo, demo.clicks);
  for (let first = 0; first < times.length; first += BATCH) {
    demo.stopping.throwIfAborted();
    const batch = Array.from(times.subarray(first, first + BATCH), (at) => clickAt(demo, targets, at));
    const prepared = await ingest.prepare(batch);
    await demo.get(Database).write((tx) => ingest.ingest(tx, prepared));
    demo.say(`${first + batch.length} of ${times.length} clicks`);
  }
}

function clickAt(demo: Demo, targets: Targets, at: number): Click {
  const { id, kind, utm, variants } = pickOpen(targets, at);
  const { ip, userAgent } = pickVisitor();
  const isCampaign = kind === 'campaign';
  const isCustomer = isCampaign && happens(0.6);
  return {
    id: demo.get(ClickIds).take(),
    at,
    kind,
    trackedLinkId: id,
    organizationId: demo.caller.organizationId,
    appIds: userAgent.includes('Android') ? targets.appIds.toReversed() : targets.appIds,
    ip,
    userAgent,
    referrer: pick(REFERRERS),
    tracker: isCampaign ? pick(CHANNELS) : null,
    customId: isCustomer ? memberId(skewed(contactCount(demo))) : null,
    utm,
    dedup: null,
    appPage: null,
    variant: variants.length > 0 ? pick(variants) : null,
  };
}
