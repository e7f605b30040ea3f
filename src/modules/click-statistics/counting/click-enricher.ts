import { Injectable } from '@nestjs/common';
import type { EnrichedClick, LocalVisit } from '../enriched-click';
import { setImmediate as nextTick } from 'node:timers/promises';
import { sanitizeText } from '../../../common/sanitize-text';
import { CampaignCustomers, type CustomerNumbers } from './campaign-customers';
import { dimensionValue, UTM_DIMENSIONS } from '../dimensions';
import { LocalVisits } from './local-visits';
import type { Click, ReportedAgent, Utm } from '../../clicks/click';
import { type Agent, agentOf, botName, Countries, referrerHost, UNKNOWN } from '../../clicks/visitor-facts';
import { Visitors } from '../../clicks/visitors';

const NONE: readonly string[] = [];
/**
 * Clicks enriched per turn of the event loop, so that redirects of the same process need not wait for a whole batch.
 */
const SLICE = 250;

@Injectable()
export class ClickEnricher {
  constructor(
    private readonly countries: Countries,
    private readonly visitors: Visitors,
    private readonly customers: CampaignCustomers,
    private readonly visits: LocalVisits,
  ) {}

  async enrich(clicks: readonly Click[]): Promise<EnrichedClick[]> {
    const enriched: EnrichedClick[] = [];
    const customerOf = await this.customers.load(clicks);
    const visitOf = await this.visits.load(clicks);
    await this.visitors.loadDays(new Set(clicks.map(({ at }) => dayOf(at))));
    for (let start = 0; start < clicks.length; start += SLICE) {
      for (const click of clicks.slice(start, start + SLICE)) {
        enriched.push(this.enrichOne(click, customerOf, visitOf));
      }
      await nextTick();
    }
    return enriched;
  }

  private enrichOne(
    click: Click,
    customerOf: CustomerNumbers,
    visitOf: (click: Click) => LocalVisit,
  ): EnrichedClick {
    const day = dayOf(click.at);
    const { country, region, city } = this.countries.placeOf(click.ip);
    const agent = click.reportedAgent ? agentAsReported(click.reportedAgent) : agentOf(click.userAgent);
    const dimensions = [
      dimensionValue('country', country),
      dimensionValue('browser', agent.browser),
      dimensionValue('os', agent.os),
      dimensionValue('device', agent.deviceType),
      dimensionValue('referrer', referrerHost(click.referrer)),
    ];
    if (agent.isBot) dimensions.push(dimensionValue('bot', botName(click.userAgent)));
    if (click.tracker) dimensions.push(dimensionValue('tracker', sanitizeText(click.tracker)));
    if (region) dimensions.push(dimensionValue('region', region));
    if (city) dimensions.push(dimensionValue('city', sanitizeText(city)));
    return {
      click,
      day,
      hour: Math.floor(click.at / 3_600_000) % 24,
      visitor: this.visitors.visitorHash(day, click.ip, click.userAgent),
      visit: visitOf(click),
      isBot: agent.isBot,
      countryCode: country === UNKNOWN ? null : country,
      dimensions,
      utm: click.utm ? utmOf(click.utm) : NONE,
      // Not shortened, because statistics compare it with the link's variants.
      variant: click.variant ? dimensionValue('variant', click.variant) : null,
      customerNo: customerOf(click),
    };
  }
}

function utmOf(values: Utm): string[] {
  return UTM_DIMENSIONS.flatMap((dimension, i) => {
    const value = values[i];
    return value ? [dimensionValue(dimension, sanitizeText(value))] : [];
  });
}

function agentAsReported([browser, os, deviceType]: ReportedAgent): Omit<Agent, 'isPreview'> {
  const word = (text: string) => sanitizeText(text) || UNKNOWN;
  return { browser: word(browser), os: word(os), deviceType: word(deviceType), isBot: false };
}

/** The UTC day of a time. */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
