import { Injectable } from '@nestjs/common';
import { sanitizeText } from '../../../common/sanitize-text';
import { toDateTime } from '../../../common/time/format';
import type { CopyValue } from '../../../infrastructure/database/copy-rows';
import { intArray, textArray } from '../../../infrastructure/database/sql-arrays';
import type { Tx } from '../../../infrastructure/database/tx';
import type { EnrichedClick } from '../enriched-click';
import type { TrackedLinkKind } from '../../clicks/click';
import { agentOf, DIRECT, referrerHost, UNKNOWN } from '../../clicks/visitor-facts';
import type { CampaignClicked, LinkClicked } from '../../webhooks/events/event-data.dto';
import { WebhookOutbox } from '../../webhooks/outbox/webhook-outbox';

/**
 * Port through which another module acts on clicks in the transaction that counts them, so that both commit or neither
 * does. The implementation is passed to ClickCountingModule.with.
 */
export abstract class ClickEffect {
  /**
   * @param counted new clicks of people and bots; each is passed exactly once
   * @param filtered clicks that de-duplication has filtered out; may be passed repeatedly
   */
  abstract apply(
    tx: Tx,
    counted: readonly EnrichedClick[],
    filtered: readonly EnrichedClick[],
  ): Promise<void>;
}

/** A clicked link or campaign, as described in webhooks. */
export interface ClickedLink {
  readonly id: number;
  /** Short code of a link, alias of a campaign. */
  readonly code: string;
  readonly originalUrl: string;
  /** Complete URL that visitors click. */
  readonly link: string;
}

/** Port to the tracked links of one kind. Implementations are passed to ClickCountingModule.with. */
abstract class ClickedTrackedLinks {
  /** Includes deleted ones. */
  abstract find(tx: Tx, organizationIds: readonly number[], ids: readonly number[]): Promise<ClickedLink[]>;
}

export abstract class ClickedLinks extends ClickedTrackedLinks {}
export abstract class ClickedCampaigns extends ClickedTrackedLinks {}

/**
 * Adds webhook events for counted clicks of people (docs/webhooks.md#events) in the transaction that counts them, so
 * that each is sent once. Without subscribers, a batch costs one query per kind of tracked link.
 */
@Injectable()
export class ClickEvents {
  constructor(
    private readonly outbox: WebhookOutbox,
    private readonly links: ClickedLinks,
    private readonly campaigns: ClickedCampaigns,
  ) {}

  /** @param counted new clicks */
  async add(tx: Tx, counted: readonly EnrichedClick[]): Promise<void> {
    await this.addOf(tx, 'link', counted);
    await this.addOf(tx, 'campaign', counted);
  }

  private async addOf(tx: Tx, kind: TrackedLinkKind, counted: readonly EnrichedClick[]): Promise<void> {
    const clicked = counted.filter(({ isBot, click }) => !isBot && click.kind === kind);
    if (clicked.length === 0) return;
    const name = `${kind}.clicked` as const;
    const organizations = new Set(clicked.map(({ click }) => click.organizationId));
    const subscribed = await this.outbox.subscribed(tx, name, [...organizations]);
    const published = clicked.filter(({ click }) => subscribed.has(click.organizationId));
    if (published.length === 0) return;
    const [source, dataOf] = kind === 'link' ? [this.links, linkClicked] : [this.campaigns, campaignClicked];
    const ids = new Set(published.map(({ click }) => click.trackedLinkId));
    const trackedLinks = new Map(
      (await source.find(tx, [...subscribed], [...ids])).map((trackedLink) => [trackedLink.id, trackedLink]),
    );
    const events = published.flatMap((enriched) => {
      const { organizationId, trackedLinkId } = enriched.click;
      const trackedLink = trackedLinks.get(trackedLinkId);
      return trackedLink ? [{ name, organizationId, data: dataOf(enriched, trackedLink) }] : [];
    });
    await this.outbox.add(tx, ...events);
  }
}

function linkClicked(enriched: EnrichedClick, trackedLink: ClickedLink): LinkClicked {
  const { id, code, originalUrl, link } = trackedLink;
  return { clickId: enriched.click.id, urlId: id, shortCode: code, link, originalUrl, ...visitOf(enriched) };
}

function campaignClicked(enriched: EnrichedClick, trackedLink: ClickedLink): CampaignClicked {
  const { id, code, originalUrl, link } = trackedLink;
  const { id: clickId, tracker, customId } = enriched.click;
  return {
    clickId,
    urlId: null,
    shortCode: null,
    link,
    originalUrl,
    ...visitOf(enriched),
    campaignId: id,
    alias: code,
    trackerAlias: tracker && sanitizeText(tracker),
    customId: customId && sanitizeText(customId),
  };
}

function visitOf({ click, countryCode }: EnrichedClick) {
  const { os, browser, deviceType } = agentOf(click.userAgent);
  return {
    clickedAt: toDateTime(new Date(click.at)),
    country: countryCode,
    deviceType: valueOrNull(deviceType) as LinkClicked['deviceType'],
    os: valueOrNull(os),
    browser: valueOrNull(browser),
    referrer: valueOrNull(referrerHost(click.referrer)),
  };
}

/** Webhooks contain null where statistics have `Unknown` or `Direct`. */
function valueOrNull(word: string): string | null {
  return word === UNKNOWN || word === DIRECT ? null : word;
}

/** Clicks per announcement, and so the number that listeners read at once. */
const ANNOUNCED = 100;
const LISTENED = {
  name: 'live_feeds.listened',
  text: 'SELECT organization_id AS id FROM live_feeds WHERE organization_id = ANY($1::bigint[]) AND expires_at > now()',
};

/**
 * Announces counted clicks to organizations with listeners, in the transaction that counts them
 * (docs/adr/0046-live-clicks-are-read-by-snapshots.md). Without listeners, a batch costs one look-up.
 */
@Injectable()
export class LiveAnnouncements {
  /** @param counted new clicks */
  async add(tx: Tx, counted: readonly EnrichedClick[]): Promise<void> {
    if (counted.length === 0) return;
    const organizations = new Set(counted.map(({ click }) => click.organizationId));
    const listened = await tx.hot<{ id: number }>(LISTENED, [intArray([...organizations])]);
    const parts = listened.flatMap(({ id }) => {
      const clicks = counted.filter(({ click }) => click.organizationId === id);
      return chunksOf(clicks, ANNOUNCED).map((chunk) => ({ id, chunk }));
    });
    if (parts.length === 0) return;
    const rows = parts.map(({ id, chunk }, i): CopyValue[] => [
      id,
      i + 1,
      intArray(chunk.map(({ click }) => click.id)),
      textArray(chunk.map(({ click }) => new Date(click.at).toISOString())),
    ]);
    await tx.copy('live_batches (organization_id, part, ids, times)', rows, (row) => row);
  }
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

@Injectable()
export class ClickEffects {
  constructor(
    private readonly effect: ClickEffect,
    private readonly events: ClickEvents,
    private readonly live: LiveAnnouncements,
  ) {}

  async apply(tx: Tx, counted: readonly EnrichedClick[], filtered: readonly EnrichedClick[]): Promise<void> {
    await this.effect.apply(tx, counted, filtered);
    await this.events.add(tx, counted);
    await this.live.add(tx, counted);
  }
}
