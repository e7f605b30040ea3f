import { InvalidArgumentError, Option } from 'commander';

export const jsonOption = () => new Option('--json', 'Print JSON');

/** Parses an integer with a minimum. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || !Number.isSafeInteger(value)) {
      throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`);
    }
    return value;
  };
}

export function httpUrl(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError('It must be an http or https URL.');
  }
  return url.href;
}

/** Adds to the values of an option that may be repeated. */
export function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** Adds to the ids of an option that may be repeated. */
export function collectId(text: string, before: readonly number[] = []): number[] {
  return [...before, wholeNumber(1)(text)];
}

/** Accepts `a,b` and repeated options. */
export function collectList(text: string, before: readonly string[] = []): string[] {
  const values = text.split(',').map((value) => value.trim());
  if (values.includes('')) throw new InvalidArgumentError('It must be a list separated by commas.');
  return [...before, ...values];
}

function day(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text))
    throw new InvalidArgumentError('It must be a date such as 2026-11-20.');
  return text;
}

export const startOption = () =>
  new Option('--start-date <date>', 'First day (default: 30 days with the last one)').argParser(day);
export const endOption = () => new Option('--end-date <date>', 'Last day (default: today)').argParser(day);
export const limitOption = () =>
  new Option('-L, --limit <number>', 'How many to list at most').argParser(wholeNumber(1)).default(30);
