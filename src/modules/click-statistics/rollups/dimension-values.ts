import { Injectable } from '@nestjs/common';
import { Database } from '../../../infrastructure/database/database';

/** What the words of a click are about, as click_terms numbers it. Hours of the day are terms 1 to 24. */
export const DIMENSION = {
  hour: 0,
  country: 1,
  browser: 2,
  os: 3,
  deviceType: 4,
  referrer: 5,
  tracker: 6,
  utmSource: 7,
  utmMedium: 8,
  utmTerm: 9,
  utmContent: 10,
} as const;
export type Dimension = keyof typeof DIMENSION;

/** Words of a dimension that are remembered; made-up referrers must not fill the memory. */
const MAX_KNOWN = 50_000;

interface Row {
  id: number;
  value: string;
}

type Known = Map<Dimension, Map<string, number>>;

/** The words of some clicks, and their numbers. */
export class WordNumbers {
  /** Those whose numbers are not known yet. */
  readonly missing = new Map<Dimension, Set<string>>();

  constructor(private readonly known: Known) {}

  /** Says that the number of a word will be asked for. */
  want(dimension: Dimension, text: string): void {
    if (this.known.get(dimension)?.has(text)) return;
    const texts = this.missing.get(dimension);
    if (texts) texts.add(text);
    else this.missing.set(dimension, new Set([text]));
  }

  /** @throws when the word was not wanted, or not yet found */
  of(dimension: Dimension, text: string): number {
    const id = this.known.get(dimension)?.get(text);
    if (id === undefined) throw new Error(`A ${dimension} has not been loaded`);
    return id;
  }
}

/** Numbers for words: a country or a referrer is written once, and counted by its number. */
@Injectable()
export class DimensionValues {
  private known: Known = new Map();

  constructor(private readonly database: Database) {}

  /** Term of an hour of the day, 0 to 23. */
  static hour(hour: number): number {
    return hour + 1;
  }

  /**
   * Finds the numbers of the words that `say` wants. New ones are numbered in a statement of its own: a number is good
   * whether or not the clicks that it was made for are committed.
   */
  async numbers(say: (words: WordNumbers) => void): Promise<WordNumbers> {
    if ([...this.known.values()].some((texts) => texts.size > MAX_KNOWN)) this.known = new Map();
    const { known } = this;
    const words = new WordNumbers(known);
    say(words);
    for (const [dimension, texts] of words.missing) await this.number(known, dimension, [...texts]);
    return words;
  }

  private async number(known: Known, dimension: Dimension, texts: string[]): Promise<void> {
    const parameters = [DIMENSION[dimension], texts];
    await this.database.prompt(INSERT, parameters);
    const rows = await this.database.prompt<Row>(SELECT, parameters);
    const numbered = known.get(dimension) ?? new Map<string, number>();
    for (const row of rows) numbered.set(row.value, row.id);
    known.set(dimension, numbered);
  }
}

const INSERT = `
  INSERT INTO click_terms (dimension, value)
  SELECT $1, word FROM unnest($2::text[]) AS word
   WHERE NOT EXISTS (SELECT FROM click_terms t WHERE t.dimension = $1 AND t.value = word)
   ORDER BY word
  ON CONFLICT (dimension, value) DO NOTHING`;
const SELECT = `SELECT id, value FROM click_terms WHERE dimension = $1 AND value = ANY($2)`;
