import request from 'supertest';
import type { TestApp } from './test-app';

/** Values by series as printed, such as `waypost_redirects_total{answer="redirect",kind="link"}`. */
export type Scrape = ReadonlyMap<string, number>;

/** The metrics at `/metrics` on the operations port. */
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

/** Increases of a metric's series since an earlier scrape; unchanged series are omitted. */
export function increases(name: string, before: Scrape, after: Scrape): Record<string, number> {
  const added = [...after]
    .filter(([series]) => series === name || series.startsWith(`${name}{`))
    .map(([series, value]) => [series.slice(name.length), value - (before.get(series) ?? 0)] as const);
  return Object.fromEntries(added.filter(([, value]) => value !== 0));
}
