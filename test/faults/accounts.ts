import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from '../support/eventually';
import { eachRedis } from '../support/redis';
import type { Load, Tally } from './load';

/** Stores that may hold uncounted clicks. */
interface Places {
  databaseUrl: string;
  redisUrl?: string;
  /** Length of the click stream, where `redisUrl` is not all of it. */
  stream?: () => Promise<number>;
  dataDirs?: readonly string[];
}

interface Figures {
  target: number;
  bots: boolean;
  raw: number;
  rollups: number;
  totals: number;
  /** Sum over the hours of the day, clicks of people only. */
  hours: number;
}

/** Runs one statement on a new connection. */
export async function sql<Row>(databaseUrl: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}

/**
 * Waits until all clicks are counted, then checks for each link that answered ≤ counted ≤ answered + unanswered, and
 * that raw clicks = rollups = totals.
 */
export async function expectCounted(load: Load, places: Places): Promise<void> {
  await eventually(async () => {
    expect(await waiting(places)).toEqual({});
    // Lines that a store lost are sent again, so an empty store is not the end.
    const figures = await sql<Figures>(places.databaseUrl, FIGURES);
    const problems = load.tallies.flatMap((tally) => {
      const { id } = tally.link;
      return problemsOf(
        tally,
        figures.find(({ target, bots }) => target === id && bots === tally.bots),
      );
    });
    expect(problems).toEqual([]);
  });
  expect(load.answered).toBeGreaterThan(0);
}

function problemsOf({ link, bots, answered, unanswered }: Tally, figures: Figures | undefined): string[] {
  const { raw = 0, rollups = 0, totals = 0, hours = 0 } = figures ?? {};
  const right = raw >= answered && raw <= answered + unanswered && rollups === raw && totals === raw;
  if (right && (bots || hours === raw)) return [];
  const sent = `answered ${answered}, unanswered ${unanswered}`;
  const counted = `raw clicks ${raw}, rollups ${rollups}, totals ${totals}, hours ${hours}`;
  return [`link ${link.id} ${link.code}, ${bots ? 'bots' : 'people'}: ${sent}; ${counted}`];
}

/** Numbers of uncounted clicks by store; empty when there are none. */
async function waiting({
  databaseUrl,
  redisUrl,
  stream,
  dataDirs = [],
}: Places): Promise<Record<string, number>> {
  // First, because clicks go from there to the other two.
  const spools = dataDirs.map((dataDir) => [`spool in ${dataDir}`, spooled(dataDir)] as const);
  const [journal] = await sql<{ rows: number }>(
    databaseUrl,
    'SELECT count(*)::int AS rows FROM click_journal',
  );
  const found = {
    ...Object.fromEntries(spools),
    journal: journal?.rows ?? 0,
    stream: stream ? await stream() : redisUrl ? await streamLength(redisUrl) : 0,
  };
  return Object.fromEntries(Object.entries(found).filter(([, entries]) => entries > 0));
}

function spooled(dataDir: string): number {
  try {
    return readdirSync(join(dataDir, 'spool')).length;
  } catch {
    return 0;
  }
}

async function streamLength(redisUrl: string): Promise<number> {
  const lengths = await eachRedis(redisUrl, async (redis) => {
    const streams = await redis.keys('*:{clicks:*}:stream');
    return Promise.all(streams.map((stream) => redis.xlen(stream)));
  });
  return lengths.flat().reduce((sum, length) => sum + length, 0);
}

const FIGURES = `
  WITH raw AS (
    SELECT organization_id, tracked_link_id, is_bot, count(*)::int AS raw FROM clicks
     GROUP BY organization_id, tracked_link_id, is_bot
  ), rollups AS (
    SELECT organization_id, tracked_link_id, sum(clicks)::int AS people, sum(bot_clicks)::int AS bots,
           sum((SELECT coalesce(sum(count), 0) FROM unnest(dimensions, dimension_counts) AS seen (value, count)
                 WHERE value LIKE 'hour:%'))::int AS hours
      FROM click_rollups GROUP BY organization_id, tracked_link_id
  ), totals AS (
    SELECT organization_id, tracked_link_id, sum(clicks)::int AS people, sum(bot_clicks)::int AS bots
      FROM click_totals GROUP BY organization_id, tracked_link_id
  )
  SELECT l.id::int AS target, kind.bots, coalesce(raw.raw, 0) AS raw,
         coalesce(CASE WHEN kind.bots THEN rollups.bots ELSE rollups.people END, 0) AS rollups,
         coalesce(CASE WHEN kind.bots THEN totals.bots ELSE totals.people END, 0) AS totals,
         CASE WHEN kind.bots THEN 0 ELSE coalesce(rollups.hours, 0) END AS hours
    FROM links l
   CROSS JOIN (VALUES (false), (true)) AS kind (bots)
    LEFT JOIN raw ON raw.organization_id = l.organization_id AND raw.tracked_link_id = l.id AND raw.is_bot = kind.bots
    LEFT JOIN rollups ON rollups.organization_id = l.organization_id AND rollups.tracked_link_id = l.id
    LEFT JOIN totals ON totals.organization_id = l.organization_id AND totals.tracked_link_id = l.id`;
