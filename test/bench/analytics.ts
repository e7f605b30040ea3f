import { databaseOf } from '../support/database-of';
import type { DataSource } from 'typeorm';
import { ADD_ONS, PERMISSIONS } from '../../src/access/caller';
import { SystemClock } from '../../src/common/time/clock';
import { CompactedMonths } from '../../src/infrastructure/database/compacted-months';
import { SESSION_MONTHS } from '../../src/modules/sessions/rollups/session-months';
import { EventDays } from '../../src/modules/analytics/event-log/event-days';
import { benchClicks } from './click-analytics';
import { makeApiKey } from './support/api-key';
import { lastDays } from './support/click-load';
import { percentile } from './support/wrk';
import { loadContacts } from './support/contact-load';
import { type JourneyVolume, loadJourneys } from './support/journey-load';
import { BenchProcess } from './support/processes';
import { type BenchStores, loadLinks, runBench } from './support/stores';

/*
 * Measures analytics over HTTP: every endpoint over 366 days, for an organization with a million goals, five million
 * events and a million contacts, and for one with a tenth of each; then the batch that sums the event log, and the
 * evaluation of a segment.
 */
const FULL: JourneyVolume = {
  sessions: Number(process.env.BENCH_SESSIONS ?? 1_000_000),
  goals: Number(process.env.BENCH_GOALS ?? 1_000_000),
  events: Number(process.env.BENCH_EVENTS ?? 5_000_000),
};
const CONTACTS = Number(process.env.BENCH_CONTACTS ?? 1_000_000);
const TENTH: JourneyVolume = {
  sessions: FULL.sessions / 10,
  goals: FULL.goals / 10,
  events: FULL.events / 10,
};
const READS = Number(process.env.BENCH_READS ?? 200);
const DAYS = 366;
const PORT = 23_022;
const GOAL_MS = 100;
const SEGMENT_GOAL_MS = 5_000;
const CONSOLE_TOKEN = 'bench-console-token-of-24';
/** Six conditions, one of each kind. */
const CONDITIONS = [
  { propKey: 'custom.grade', propOp: 'IN', propValue: ['gold', 'silver'] },
  { propKey: 'tags', propOp: 'CONTAINS', propValue: 'news' },
  { propKey: 'activity.login.count', propOp: 'GTE', propValue: 3 },
  { propKey: 'activity.purchase.sum', propOp: 'LT', propValue: 1000 },
  { propKey: 'custom.signup_date', propOp: 'WITHIN_LAST_DAYS', propValue: 600 },
  { propKey: 'createdAt', propOp: 'GT', propValue: '2020-01-01' },
];

const SERVICE = '/api/v1/service/analytics';
const CROSS_PLATFORM = '/api/v1/cross-platform/stats';

interface Customer {
  organizationId: number;
  appId: number;
  serviceHeaders: Record<string, string>;
}

async function makeCustomer(
  database: DataSource,
  volume: JourneyVolume,
  contacts: number,
): Promise<Customer> {
  const startedAt = performance.now();
  const organizationId = await loadLinks(database, 0);
  await database.query(`UPDATE organizations SET time_zone = 'Asia/Seoul' WHERE id = $1`, [organizationId]);
  const apiKey = await makeApiKey(database, organizationId, PERMISSIONS);
  await database.query(
    `INSERT INTO add_ons (organization_id, code, created_at) SELECT $1, unnest($2::text[]), now()`,
    [organizationId, ADD_ONS],
  );
  const [app] = await database.query<[{ id: number }]>(
    `INSERT INTO apps (organization_id, app_name, platform, bundle_id, path, sdk_rate_per_minute, created_at,
                       api_key, api_key_hash, publishable_key)
     VALUES ($1, 'Shop', 'iOS', 'com.example.shop', 'shop' || $1::bigint, 1000000000, now(),
             '', sha256(gen_random_uuid()::text::bytea), '') RETURNING id`,
    [organizationId],
  );
  await loadJourneys(database, organizationId, app.id, volume);
  await loadContacts(database, organizationId, contacts);
  await loadSends(database, organizationId);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(
    `loaded ${volume.sessions} sessions, ${volume.goals} goals, ${volume.events} events, ${contacts} contacts in ${seconds} s`,
  );
  return { organizationId, appId: app.id, serviceHeaders: { 'X-API-KEY': apiKey } };
}

/** Loads daily sums of sends over 24 months, and credits. */
async function loadSends(database: DataSource, organizationId: number): Promise<void> {
  await database.query(
    `INSERT INTO message_send_rollups (organization_id, day, channel_type, slot, sends, rate_sum)
     SELECT $1, current_date - n, channel, slot, 1000, 9900
       FROM generate_series(0, 730) AS n, unnest(ARRAY['SMS', 'LMS', 'EMAIL', 'PUSH']) AS channel,
            generate_series(0, 3) AS slot`,
    [organizationId],
  );
  await database.query(
    `INSERT INTO credit_accounts (organization_id, charged, granted, used_paid, used_free) VALUES ($1, 900, 90, 9, 9)`,
    [organizationId],
  );
}

/** Measures the evaluation of a segment, with all members to write and with none. */
async function evaluateSegment(server: BenchProcess, { organizationId }: Customer): Promise<void> {
  const url = `${server.url}/api/v1/console/organizations/${organizationId}/segments`;
  const post = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${CONSOLE_TOKEN}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body ?? {}) });
    const answer = (await response.json()) as { id: number; memberCount: number };
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const { id } = await post('', { name: 'Bench', conditionGroups: [{ conditions: CONDITIONS }] });
  for (const what of ['at first', 'again']) {
    const startedAt = performance.now();
    const { memberCount } = await post(`/${id}/evaluate`);
    const took = performance.now() - startedAt;
    console.log(
      `segment of ${CONDITIONS.length} conditions over ${CONTACTS} contacts, ${what}: ${memberCount} members in ` +
        `${(took / 1000).toFixed(1)} s (at most ${SEGMENT_GOAL_MS / 1000})`,
    );
  }
}

async function answerOf(url: string, headers: Record<string, string>): Promise<Record<string, unknown>> {
  const response = await fetch(url, { headers });
  const answer = (await response.json()) as Record<string, unknown>;
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

/** Every endpoint with its headers, over all days. */
async function endpointsOf(server: BenchProcess, customer: Customer) {
  const { organizationId, appId, serviceHeaders } = customer;
  const { startDate, endDate } = lastDays(DAYS);
  const range = `startDate=${startDate}&endDate=${endDate}`;
  const compared = `compareStartDate=${startDate}&compareEndDate=${endDate}`;
  const app = await answerOf(`${server.url}/api/v1/service/mobile-apps/${appId}`, serviceHeaders);
  const appHeaders = { 'X-App-ID': String(appId), 'X-Mobile-App-API-Key': String(app.apiKey) };
  const service = [
    `revenue?appId=${appId}&${range}`,
    `revenue?appId=${appId}&${range}&${compared}`,
    `conversions?appId=${appId}&${range}`,
    `conversions?appId=${appId}&${range}&sessionType=url`,
    `conversions/top?${range}`,
    `conversions/top?${range}&resourceType=url&limit=50`,
    `conversions/goals?appId=${appId}&${range}`,
    `dau?days=${DAYS}`,
    `wau?weeks=53`,
    `events?${range}`,
    `events?appId=${appId}&${range}&topLimit=50`,
    'credits',
    'billing/usage',
    'segments?size=50',
  ];
  const crossPlatform = [
    'summary',
    'daily',
    'sessions/summary',
    'sessions/by-platform',
    'sessions/by-utm-source',
    'transitions/summary',
    'transitions/trend',
    'dashboard',
  ];
  return [
    ...service.map((path) => ({
      name: path,
      url: `${server.url}${SERVICE}/${path}`,
      headers: serviceHeaders,
    })),
    ...['link', 'country'].map((groupBy) => ({
      name: `conversions/groups by ${groupBy}`,
      url: `${server.url}/api/v1/console/organizations/${organizationId}/analytics/conversions/groups?groupBy=${groupBy}&${range}`,
      headers: { authorization: `Bearer ${CONSOLE_TOKEN}` },
    })),
    ...crossPlatform.map((path) => ({
      name: `stats/${path}`,
      url: `${server.url}${CROSS_PLATFORM}/${path}?${range}`,
      headers: appHeaders,
    })),
  ];
}

async function benchJourneys(stores: BenchStores): Promise<void> {
  const redisUrl = await stores.redis();
  const { url, database } = await stores.database('bench_analytics', 4);
  const full = await makeCustomer(database, FULL, CONTACTS);
  const tenth = await makeCustomer(database, TENTH, CONTACTS / 10);
  const batchAt = performance.now();
  await new EventDays(databaseOf(database), new SystemClock()).build();
  const batch = (performance.now() - batchAt) / 1000;
  console.log(`summed ${FULL.events + TENTH.events} events in ${batch.toFixed(1)} s`);
  const retentionDays = new Map([full, tenth].map(({ organizationId }) => [organizationId, 400]));
  const months = new CompactedMonths(databaseOf(database), new SystemClock());
  await months.compact([SESSION_MONTHS], retentionDays);
  await database.query('VACUUM ANALYZE');

  const server = await BenchProcess.waypost(
    PORT,
    { databaseUrl: url, redisUrl },
    { LOG_LEVEL: 'silent', CONSOLE_TOKEN },
  );
  await evaluateSegment(server, full);
  const small = await endpointsOf(server, tenth);
  for (const [i, endpoint] of (await endpointsOf(server, full)).entries()) {
    const times = { full: [] as number[], tenth: [] as number[] };
    for (let read = -5; read < READS; read++) {
      // Interleaved, so that other load on the machine affects both; the first rounds warm up.
      for (const [which, each] of [
        ['full', endpoint],
        ['tenth', small[i]],
      ] as const) {
        if (!each) continue;
        const startedAt = performance.now();
        await answerOf(each.url, each.headers);
        if (read >= 0) times[which].push(performance.now() - startedAt);
      }
    }
    const [p50, tenthP50] = [percentile(times.full, 0.5), percentile(times.tenth, 0.5)];
    const [p95, tenthP95] = [percentile(times.full, 0.95), percentile(times.tenth, 0.95)];
    const name = endpoint.name.replaceAll(/\b(startDate|endDate)=[^&]*&?/g, '').replace(/[?&]$/, '');
    console.log(
      `${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms (at most ${GOAL_MS}); with a tenth ` +
        `p50 ${tenthP50.toFixed(1)} ms, p95 ${tenthP95.toFixed(1)} ms, ratio of p50 ${(p50 / tenthP50).toFixed(2)}`,
    );
  }
  await server.stop();
}

/** `npm run bench:analytics -- clicks` (or `journeys`) runs one part. */
async function main(stores: BenchStores): Promise<void> {
  const [, , part] = process.argv;
  if (part === undefined || part === 'journeys') await benchJourneys(stores);
  if (part === undefined || part === 'clicks') await benchClicks(stores);
}

runBench(main);
