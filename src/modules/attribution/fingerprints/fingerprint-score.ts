import type { Device, Language, Screen } from './device';

/** Similarity of two devices: matching weight out of comparable weight, as integers so that scores compare exactly. */
export interface Score {
  matched: number;
  known: number;
}

/**
 * Weights of features, in tenths
 * (docs/concepts/deep-links.md#matching-a-first-start).
 */
const WEIGHTS = { os: 4, model: 2, screen: 3, language: 1 } as const;

/** Features unknown to both sides are ignored; a feature known to one side only counts against the match. */
export function scoreOf(page: Device, app: Device): Score {
  const parts = [
    osScore(page, app),
    part(WEIGHTS.model, page.model, app.model, sameModel),
    part(WEIGHTS.screen, page.screen, app.screen, (a, b) => sameScreen(a, b, page.os)),
    part(WEIGHTS.language, page.language, app.language, sameLanguage),
  ];
  const matched = parts.reduce((sum, each) => sum + each.matched, 0);
  const known = parts.reduce((sum, each) => sum + each.known, 0);
  return { matched, known: Math.max(known, 1) };
}

/** From 0 to 1. */
export function confidenceOf({ matched, known }: Score): number {
  return Math.round((matched / known) * 1_000) / 1_000;
}

export function isConfident({ matched, known }: Score): boolean {
  return 10 * matched >= 6 * known;
}

export function isClose(better: Score, other: Score): boolean {
  return 10 * compareScores(other, better) <= better.known * other.known;
}

/** Compares scores for a descending sort: negative if `a` is better. */
export function compareScores(a: Score, b: Score): number {
  return b.matched * a.known - a.matched * b.known;
}

/** Whether no known feature of the device differs. */
export function couldBeSame(page: Device, app: Device): boolean {
  return (
    agree(page.os, app.os, equal) &&
    agree(page.major, app.major, equal) &&
    agree(page.minor, app.minor, equal) &&
    agree(page.model, app.model, sameModel) &&
    agree(page.screen, app.screen, (a, b) => sameScreen(a, b, page.os))
  );
}

/** Whether the languages are equal or unknown. */
export function languagesMatch(page: Device, app: Device): boolean {
  return agree(page.language, app.language, sameLanguage);
}

function agree<T>(page: T | null, app: T | null, same: (page: T, app: T) => boolean): boolean {
  return page === null || app === null || same(page, app);
}

function equal<T>(a: T, b: T): boolean {
  return a === b;
}

function part<T>(weight: number, page: T | null, app: T | null, same: (page: T, app: T) => boolean): Score {
  if (page === null && app === null) return { matched: 0, known: 0 };
  return { matched: page !== null && app !== null && same(page, app) ? weight : 0, known: weight };
}

/** Operating system and version are one feature, of which a page that knows only the system gets half. */
function osScore(page: Device, app: Device): Score {
  const half = WEIGHTS.os / 2;
  const os = part(half, page.os, app.os, equal);
  const major = part(half, page.major, app.major, equal);
  const known = os.known + major.known;
  const differs = page.major !== null && app.major !== null && page.major !== app.major;
  return { matched: os.matched === 0 || differs ? 0 : os.matched + major.matched, known };
}

/** Some libraries prefix the manufacturer: `Google Pixel 9`. */
function sameModel(a: string, b: string): boolean {
  return a === b || a.endsWith(` ${b}`) || b.endsWith(` ${a}`);
}

/** A language without a region matches every region. */
function sameLanguage(a: Language, b: Language): boolean {
  return a.code === b.code && (a.region === b.region || a.region === null || b.region === null);
}

/**
 * Pages report CSS pixels: points on iOS, dp on Android. Apps report the same or physical pixels: 2 or 3 times as many
 * on iOS, and on Android usually a fractional multiple, which pages round.
 */
function sameScreen(page: Screen, app: Screen, os: Device['os']): boolean {
  if (page.short === app.short && page.long === app.long) return true;
  if (os === 'iOS') return [2, 3].some((n) => page.short * n === app.short && page.long * n === app.long);
  const ratio = app.long / page.long;
  const couldBePixels = page.short < MOST_DP && ratio >= 1.5 && ratio <= 5;
  return couldBePixels && Math.abs(app.short / ratio - page.short) < 1;
}

/** Exceeds the short side of any phone or foldable in dp; a larger value must be in pixels. */
const MOST_DP = 700;
