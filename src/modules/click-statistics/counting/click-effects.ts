import { Injectable } from '@nestjs/common';
import { sanitizeText } from '../../../common/sanitize-text';
import { toDateTime } from '../../../common/time/format';
import type { Tx } from '../../../infrastructure/database/tx';
import type { EnrichedClick } from './enriched-click';
import type { TrackedLinkKind } from '../../clicks/click';
import { agentOf, DIRECT, referrerHost, UNKNOWN } from '../../clicks/visitor-facts';
import type { CampaignClicked, LinkClicked } from '../../webhooks/events/event-data.dto';
import { WebhookOutbox } from '../../webhooks/outbox/webhook-outbox';

/**
 * What follows from clicks in other modules, in the very transaction that counts them: kept with them once, or not
 * at all. Whoever composes the counting says which module provides it.
 */
export abstract class ClickEffect {
  /**
   * @param counted clicks that are new, of people and of bots; each is given once, ever
   * @param filtered clicks that de-duplication refused; they may be given again
   */
  abstract apply(
    tx: Tx,
    counted: readonly EnrichedClick[],
    filtered: readonly EnrichedClick[],
  ): Promise<void>;
}

/** What is told of a link or campaign that was clicked. */
export interface ClickedLink {
  readonly id: number;
  /** A link's code, a campaign's alias. */
  readonly code: string;
  readonly originalUrl: string;
  /** Its complete address. */
  readonly link: string;
}

/** Where tracked links of one kind are kept. Whoever composes the counting says which module provides it. */
abstract class ClickedTrackedLinks {
  /** Those of these ids, deleted ones too. */
  abstract find(tx: Tx, ids: readonly number[]): Promise<ClickedLink[]>;
}

export abstract class ClickedLinks extends ClickedTrackedLinks {}
export abstract class ClickedCampaigns extends ClickedTrackedLinks {}

/**
 * Tells webhooks of people's clicks that count (docs/webhooks.md#events), in the transaction that counts them: each
 * once. A batch in which nobody subscribes to any of it pays for one look at who does, and a click for nothing.
 */
@Injectable()
export class ClickEvents {
  constructor(
    private readonly outbox: WebhookOutbox,
    private readonly links: ClickedLinks,
    private readonly campaigns: ClickedCampaigns,
  ) {}

  /** @param counted clicks that are new */
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
    const told = clicked.filter(({ click }) => subscribed.has(click.organizationId));
    if (told.length === 0) return;
    const [where, dataOf] = kind === 'link' ? [this.links, linkClicked] : [this.campaigns, campaignClicked];
    const ids = new Set(told.map(({ click }) => click.trackedLinkId));
    const trackedLinks = new Map(
      (await where.find(tx, [...ids])).map((trackedLink) => [trackedLink.id, trackedLink]),
    );
    const events = told.flatMap((enriched) => {
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
    deviceType: named(deviceType) as LinkClicked['deviceType'],
    os: named(os),
    browser: named(browser),
    referrer: named(referrerHost(click.referrer)),
  };
}

/** Statistics name what is not known; here it is not there. */
function named(word: string): string | null {
  return word === UNKNOWN || word === DIRECT ? null : word;
}

/** All that follows from clicks, in the transaction that counts them. */
@Injectable()
export class ClickEffects {
  constructor(
    private readonly elsewhere: ClickEffect,
    private readonly events: ClickEvents,
  ) {}

  async apply(tx: Tx, counted: readonly EnrichedClick[], filtered: readonly EnrichedClick[]): Promise<void> {
    await this.elsewhere.apply(tx, counted, filtered);
    await this.events.add(tx, counted);
  }
}
