import { LANGUAGES } from './texts/languages';
import type { Texts } from './texts/texts';

export interface Language {
  /** BCP 47 tag. */
  readonly tag: string;
  readonly texts: Texts;
}

interface Range {
  /** In lower case. */
  readonly tag: string;
  readonly primary: string;
  readonly quality: number;
}

const RANGE = /^(([a-z]{1,8}|\*)(?:-[a-z0-9]{1,8})*)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;
const NONE = -1;

/**
 * Chooses the language of a page according to RFC 9110 §12.5.4: the highest quality value, then the first one named.
 * Regions and scripts are ignored, so `ko-KR` is Korean.
 * @returns English if no language of the header is available
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  const ranges = rangesOf(acceptLanguage);
  const wildcard = ranges.findIndex(({ primary }) => primary === '*');
  let best: { tag: string; texts: Texts; quality: number; index: number } | null = null;
  for (const [tag, texts] of LANGUAGES) {
    const own = indexOf(tag, ranges);
    const index = own === NONE ? wildcard : own;
    const quality = ranges[index]?.quality ?? 0;
    if (quality === 0) continue;
    const isBetter = !best || quality > best.quality || (quality === best.quality && index < best.index);
    if (isBetter) best = { tag, texts, quality, index };
  }
  return best ?? DEFAULT;
}

/**
 * The language that a visitor prefers: the one of the highest quality value, then the first one named.
 * @returns its tag in lower case; null if the header names none
 */
export function preferredLanguage(acceptLanguage: string | undefined): string | null {
  let best: Range | null = null;
  for (const range of rangesOf(acceptLanguage)) {
    if (range.primary !== '*' && range.quality > (best?.quality ?? 0)) best = range;
  }
  return best && (canonicalLanguage(best.tag) ?? best.tag);
}

/** A language tag in its current form and lower case, such as `he` for `iw`; null if it is none. */
export function canonicalLanguage(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0]?.toLowerCase() ?? null;
  } catch {
    return null;
  }
}

const [[defaultTag, defaultTexts]] = [...LANGUAGES] as [[string, Texts]];
const DEFAULT: Language = { tag: defaultTag, texts: defaultTexts };

/** Index of the range in which the language has its highest quality. */
function indexOf(tag: string, ranges: readonly Range[]): number {
  let best = NONE;
  for (const [index, { primary, quality }] of ranges.entries()) {
    if (primary === tag && quality > (ranges[best]?.quality ?? NONE)) best = index;
  }
  return best;
}

function rangesOf(acceptLanguage = ''): Range[] {
  return acceptLanguage.split(',').flatMap(readRange);
}

function readRange(text: string): Range[] {
  const [, tag, primary, quality = '1'] = RANGE.exec(text.trim()) ?? [];
  if (tag === undefined || primary === undefined) return [];
  return [{ tag: tag.toLowerCase(), primary: primary.toLowerCase(), quality: Number(quality) }];
}
