import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Click, SaidAgent } from '../../clicks/click';
import { dimensionValue } from '../rollups/dimensions';
import { CampaignCustomers, type UserNumbers } from '../customers/campaign-customers';
import { Countries } from '../../clicks/countries';
import { type LocalVisit, LocalVisits } from './local-visits';
import { sanitizeText } from '../../../common/sanitize-text';
import { type Agent, agentOf, referrerHost, UNKNOWN } from '../../clicks/user-agent';
import { Visitors } from '../../clicks/visitors';

/** A click with everything that is stored of it. */
export interface EnrichedClick {
  click: Click;
  /** UTC day, `YYYY-MM-DD`, and hour, 0 to 23. */
  day: string;
  hour: number;
  visitor: string;
  visit: LocalVisit;
  isBot: boolean;
  /** ISO 3166-1 alpha-2; null when unknown. */
  countryCode: string | null;
  /** One value of each dimension but the hour (dimensions.ts); no tracker without one. */
  dimensions: readonly string[];
  /** Values of utm dimensions that the click has. */
  utm: readonly string[];
  /** Number of the customId in its campaign; null without one. */
  userNo: number | null;
}

const UTM_DIMENSIONS = ['utm_source', 'utm_medium', 'utm_term', 'utm_content'] as const;
const NO_UTM: readonly string[] = [];
/** Clicks between two turns of the event loop: redirects of the same process do not wait for a batch. */
const SLICE = 250;

/** Finds out what a journaled click's address, user agent and referrer say. */
@Injectable()
export class ClickEnricher {
  constructor(
    private readonly countries: Countries,
    private readonly visitors: Visitors,
    private readonly users: CampaignCustomers,
    private readonly visits: LocalVisits,
  ) {}

  async enrich(clicks: readonly Click[]): Promise<EnrichedClick[]> {
    const enriched: EnrichedClick[] = [];
    const userOf = await this.users.load(clicks);
    const visitOf = await this.visits.load(clicks);
    await this.visitors.loadDays(new Set(clicks.map(({ at }) => dayOf(at))));
    for (let start = 0; start < clicks.length; start += SLICE) {
      for (const click of clicks.slice(start, start + SLICE)) {
        enriched.push(this.enrichOne(click, userOf, visitOf));
      }
      await nextTurn();
    }
    return enriched;
  }

  private enrichOne(click: Click, userOf: UserNumbers, visitOf: (click: Click) => LocalVisit): EnrichedClick {
    const day = dayOf(click.at);
    const country = this.countries.of(click.ip);
    const agent = click.saidAgent ? saidAgentOf(click.saidAgent) : agentOf(click.userAgent);
    const dimensions = [
      dimensionValue('country', country),
      dimensionValue('browser', agent.browser),
      dimensionValue('os', agent.os),
      dimensionValue('device', agent.deviceType),
      dimensionValue('referrer', referrerHost(click.referrer)),
    ];
    if (click.tracker) dimensions.push(dimensionValue('tracker', sanitizeText(click.tracker)));
    return {
      click,
      day,
      hour: Math.floor(click.at / 3_600_000) % 24,
      visitor: this.visitors.visitorHash(day, click.ip, click.userAgent),
      visit: visitOf(click),
      isBot: agent.isBot,
      countryCode: country === UNKNOWN ? null : country,
      dimensions,
      utm: click.utm ? utmOf(click.utm) : NO_UTM,
      userNo: userOf(click),
    };
  }
}

function utmOf(values: readonly (string | null)[]): string[] {
  return UTM_DIMENSIONS.flatMap((dimension, i) => {
    const value = values[i];
    return value ? [dimensionValue(dimension, sanitizeText(value))] : [];
  });
}

function saidAgentOf([browser, os, deviceType]: SaidAgent): Omit<Agent, 'isPreview'> {
  const word = (text: string) => sanitizeText(text) || UNKNOWN;
  return { browser: word(browser), os: word(os), deviceType: word(deviceType), isBot: false };
}

const DAY_MS = 86_400_000;
let lastDay = { number: -1, text: '' };

/** The UTC day of a time; most clicks of a batch are of the same. */
function dayOf(at: number): string {
  const number = Math.floor(at / DAY_MS);
  if (number !== lastDay.number) lastDay = { number, text: new Date(at).toISOString().slice(0, 10) };
  return lastDay.text;
}
