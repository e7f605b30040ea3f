import { Injectable } from '@nestjs/common';
import { sanitizeText } from '../../../common/sanitize-text';
import { toDateTime } from '../../../common/time/format';
import type { EnrichedClick } from '../enriched-click';
import type { TrackedLinkKind } from '../../clicks/click';
import { agentOf, knownOrNull, referrerHost } from '../../clicks/visitor-facts';
import type { CampaignClicked, LinkClicked } from '../../webhooks/events/event-data.dto';
import { WebhookOutbox } from '../../webhooks/outbox/webhook-outbox';
import { ClickedCampaigns, type ClickedLink, ClickedLinks } from './clicked-links';
import type { Tx } from '../../../infrastructure/database/database';

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
    deviceType: knownOrNull(deviceType) as LinkClicked['deviceType'],
    os: knownOrNull(os),
    browser: knownOrNull(browser),
    referrer: knownOrNull(referrerHost(click.referrer)),
  };
}
