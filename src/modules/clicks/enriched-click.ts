import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Click, SaidAgent } from './click';
import { ClickTerms, type Dimension, type TermIds, type Word } from './click-terms';
import { ClickUsers, type UserNumbers } from './click-users';
import { Countries } from './countries';
import { type LocalVisit, LocalVisits } from './local-visits';
import { storable } from './storable';
import { type Agent, agentOf, referrerHost, UNKNOWN } from './visit';
import { Visitors } from './visitors';

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

interface ReadClick {
  click: Click;
  day: string;
  isBot: boolean;
  country: string;
  words: Word[];
}

const NO_UTM = [null, null, null, null];
const UTM_DIMENSIONS = ['utmSource', 'utmMedium', 'utmTerm', 'utmContent'] as const;
/** Clicks between two turns of the event loop: redirects of the same process do not wait for a batch. */
const SLICE = 250;

/** Finds out what a journaled click's address, user agent and referrer say. */
@Injectable()
export class ClickEnricher {
  constructor(
    private readonly terms: ClickTerms,
    private readonly countries: Countries,
    private readonly visitors: Visitors,
    private readonly users: ClickUsers,
    private readonly visits: LocalVisits,
  ) {}

  async enrich(clicks: readonly Click[]): Promise<EnrichedClick[]> {
    const enriched: EnrichedClick[] = [];
    const userOf = await this.users.load(clicks);
    const visitOf = await this.visits.load(clicks);
    for (let start = 0; start < clicks.length; start += SLICE) {
      const read = clicks.slice(start, start + SLICE).map((click) => this.read(click));
      const idOf = await this.terms.load(read.flatMap(({ words }) => words));
      await this.visitors.loadDays(new Set(read.map(({ day }) => day)));
      for (const each of read) enriched.push(this.enrichOne(each, idOf, userOf, visitOf));
      await nextTurn();
    }
    return enriched;
  }

  /** What the request says, in words. */
  private read(click: Click): ReadClick {
    const agent = click.saidAgent ? saidAgentOf(click.saidAgent) : agentOf(click.userAgent);
    const country = this.countries.of(click.ip);
    const words: Word[] = [
      ['country', country],
      ['browser', agent.browser],
      ['os', agent.os],
      ['deviceType', agent.deviceType],
      ['referrer', referrerHost(click.referrer)],
    ];
    if (click.tracker) words.push(['tracker', storable(click.tracker)]);
    click.utm?.forEach((value, i) => {
      const dimension = UTM_DIMENSIONS[i];
      if (value && dimension) words.push([dimension, storable(value)]);
    });
    return { click, day: dayOf(click.at), isBot: agent.isBot, country, words };
  }

  private enrichOne(
    { click, day, isBot, country, words }: ReadClick,
    idOf: TermIds,
    userOf: UserNumbers,
    visitOf: (click: Click) => LocalVisit,
  ): EnrichedClick {
    const terms: Partial<Record<Dimension, number>> = {};
    for (const [dimension, text] of words) terms[dimension] = idOf(dimension, text);
    return {
      click,
      day,
      hour: Math.floor(click.at / 3_600_000) % 24,
      visitor: this.visitors.visitorHash(day, click.ip, click.userAgent),
      visit: visitOf(click),
      isBot,
      country: terms.country ?? 0,
      countryCode: country === UNKNOWN ? null : country,
      browser: terms.browser ?? 0,
      os: terms.os ?? 0,
      deviceType: terms.deviceType ?? 0,
      referrer: terms.referrer ?? 0,
      tracker: terms.tracker ?? null,
      userNo: userOf(click),
      utm: click.utm ? UTM_DIMENSIONS.map((dimension) => terms[dimension] ?? null) : NO_UTM,
    };
  }
}

function saidAgentOf([browser, os, deviceType]: SaidAgent): Omit<Agent, 'isPreview'> {
  const word = (text: string) => storable(text) || UNKNOWN;
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
