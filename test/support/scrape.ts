import request from 'supertest';
import type { TestApp } from './test-app';

/** Values by series as printed, such as `waypost_redirects_total{answer="redirect",kind="link"}`. */
export type Scrape = ReadonlyMap<string, number>;

/** What `/metrics` prints on the operations port. */
export async function scrape(app: TestApp): Promise<Scrape> {
  const { text } = await request(app.operationsUrl).get('/metrics').expect(200);
  return parseScrape(text);
}

export function parseScrape(text: string): Scrape {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** What has been added to each series of a name since an earlier scrape, without those that are unchanged. */
export function increases(name: string, before: Scrape, after: Scrape): Record<string, number> {
  const added = [...after]
    .filter(([series]) => series === name || series.startsWith(`${name}{`))
    .map(([series, value]) => [series.slice(name.length), value - (before.get(series) ?? 0)] as const);
  return Object.fromEntries(added.filter(([, value]) => value !== 0));
}
