import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Click, SaidAgent } from '../../clicks/click';
import { DimensionValues, type Dimension, type WordNumbers } from '../rollups/dimension-values';
import { CampaignCustomers, type UserNumbers } from '../customers/campaign-customers';
import { Countries } from '../../clicks/countries';
import { type LocalVisit, LocalVisits } from './local-visits';
import { sanitizeText } from '../../../common/sanitize-text';
import { type Agent, agentOf, referrerHost, UNKNOWN } from '../../clicks/user-agent';
import { Visitors } from '../../clicks/visitors';

/** A click with everything that is stored of it; words are term numbers. */
export interface EnrichedClick {
  click: Click;
  /** UTC day, `YYYY-MM-DD`, and hour, 0 to 23. */
  day: string;
  hour: number;
  visitor: string;
  visit: LocalVisit;
  isBot: boolean;
  country: number;
  /** ISO 3166-1 alpha-2; null when unknown. */
  countryCode: string | null;
  browser: number;
  os: number;
  deviceType: number;
  referrer: number;
  tracker: number | null;
  /** Number of the customId in its campaign; null without one. */
  userNo: number | null;
  utm: readonly (number | null)[];
}

/** What the request says, in words. */
interface ReadClick {
  click: Click;
  day: string;
  agent: Omit<Agent, 'isPreview'>;
  country: string;
  referrer: string;
  /** Null where there is none. */
  tracker: string | null;
  utm: readonly (string | null)[];
}

const NO_UTM: readonly null[] = [null, null, null, null];
const UTM_DIMENSIONS = ['utmSource', 'utmMedium', 'utmTerm', 'utmContent'] as const;
/** Clicks between two turns of the event loop: redirects of the same process do not wait for a batch. */
const SLICE = 250;

/** Finds out what a journaled click's address, user agent and referrer say. */
@Injectable()
export class ClickEnricher {
  constructor(
    private readonly terms: DimensionValues,
    private readonly countries: Countries,
    private readonly visitors: Visitors,
    private readonly users: CampaignCustomers,
    private readonly visits: LocalVisits,
  ) {}

  async enrich(clicks: readonly Click[]): Promise<EnrichedClick[]> {
    const enriched: EnrichedClick[] = [];
    const userOf = await this.users.load(clicks);
    const visitOf = await this.visits.load(clicks);
    for (let start = 0; start < clicks.length; start += SLICE) {
      const read = clicks.slice(start, start + SLICE).map((click) => this.read(click));
      const numbers = await this.terms.numbers((words) => {
        for (const each of read) want(each, words);
      });
      await this.visitors.loadDays(new Set(read.map(({ day }) => day)));
      for (const each of read) enriched.push(this.enrichOne(each, numbers, userOf, visitOf));
      await nextTurn();
    }
    return enriched;
  }

  private read(click: Click): ReadClick {
    return {
      click,
      day: dayOf(click.at),
      agent: click.saidAgent ? saidAgentOf(click.saidAgent) : agentOf(click.userAgent),
      country: this.countries.of(click.ip),
      referrer: referrerHost(click.referrer),
      tracker: click.tracker ? sanitizeText(click.tracker) : null,
      utm: click.utm ? click.utm.map((value) => (value ? sanitizeText(value) : null)) : NO_UTM,
    };
  }

  private enrichOne(
    { click, day, agent, country, referrer, tracker, utm }: ReadClick,
    numbers: WordNumbers,
    userOf: UserNumbers,
    visitOf: (click: Click) => LocalVisit,
  ): EnrichedClick {
    return {
      click,
      day,
      hour: Math.floor(click.at / 3_600_000) % 24,
      visitor: this.visitors.visitorHash(day, click.ip, click.userAgent),
      visit: visitOf(click),
      isBot: agent.isBot,
      country: numbers.of('country', country),
      countryCode: country === UNKNOWN ? null : country,
      browser: numbers.of('browser', agent.browser),
      os: numbers.of('os', agent.os),
      deviceType: numbers.of('deviceType', agent.deviceType),
      referrer: numbers.of('referrer', referrer),
      tracker: tracker === null ? null : numbers.of('tracker', tracker),
      userNo: userOf(click),
      utm:
        utm === NO_UTM ? NO_UTM : UTM_DIMENSIONS.map((dimension, i) => numberOf(numbers, dimension, utm[i])),
    };
  }
}

function want({ agent, country, referrer, tracker, utm }: ReadClick, words: WordNumbers): void {
  words.want('country', country);
  words.want('browser', agent.browser);
  words.want('os', agent.os);
  words.want('deviceType', agent.deviceType);
  words.want('referrer', referrer);
  if (tracker !== null) words.want('tracker', tracker);
  if (utm === NO_UTM) return;
  for (const [i, dimension] of UTM_DIMENSIONS.entries()) {
    const value = utm[i];
    if (typeof value === 'string') words.want(dimension, value);
  }
}

function numberOf(
  numbers: WordNumbers,
  dimension: Dimension,
  text: string | null | undefined,
): number | null {
  return typeof text === 'string' ? numbers.of(dimension, text) : null;
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
