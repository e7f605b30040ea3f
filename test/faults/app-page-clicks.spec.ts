import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { encodeClick } from '../../src/modules/clicks/click';
import { eventually } from '../support/eventually';
import { IPHONE, plainClick } from '../support/visits';
import { sql } from './accounts';
import { Stage, stormSeconds } from './stage';

const KILL_EVERY_MS = 700;
const FEED_EVERY_MS = 5;
const TARGET = 4_711;
const APP = 42;

describe('clicks that open the app page', () => {
  const stage = new Stage();
  const seconds = stormSeconds(4);
  jest.setTimeout((seconds + 300) * 1000);
  afterEach(() => stage.clear());

  it('create one token and one session each, while the worker that counts them is killed', async () => {
    const databaseUrl = await stage.database();
    const { url } = await stage.redis();
    const worker = await stage.service({
      DATABASE_URL: databaseUrl,
      REDIS_URL: url,
      ROLE: 'worker',
      CLICK_BATCH: '20',
    });
    const redis = new Redis(url);
    const feed = { sent: 0, going: true };
    const feeding = (async () => {
      while (feed.going) {
        const line = lineOf(feed.sent++);
        // Twice, because redirects resend what a restarting Redis may have lost.
        await redis.xadd('wp:{clicks:0}:stream', '*', 'c', `${line}\n${line}`);
        await delay(FEED_EVERY_MS);
      }
    })();
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until) {
      await delay(KILL_EVERY_MS);
      await worker.kill();
      await worker.restart();
    }
    feed.going = false;
    await feeding;
    redis.disconnect();
    const { sent } = feed;
    expect(sent).toBeGreaterThan(100);
    await eventually(async () => {
      const [counted] = await sql(databaseUrl, COUNTED);
      expect(counted).toEqual({ clicks: sent, tokens: sent, sessions: sent, summed: sent, of_app: sent });
    });
  });
});

function lineOf(id: number): string {
  const at = Date.now();
  const click = plainClick({
    id: id + 1,
    at,
    trackedLinkId: TARGET,
    organizationId: 1,
    appIds: [APP],
    userAgent: IPHONE,
    appPage: { tokenKey: `${at}.${randomBytes(32).toString('base64url')}`, counted: true },
  });
  return encodeClick(click);
}

const COUNTED = `
  SELECT (SELECT count(*)::int FROM clicks WHERE tracked_link_id = ${TARGET}) AS clicks,
         (SELECT count(*)::int FROM deep_link_tokens WHERE session_id IN (SELECT id FROM funnel_sessions)) AS tokens,
         (SELECT count(*)::int FROM funnel_sessions WHERE stages = 1) AS sessions,
         (SELECT sum(count)::int FROM funnel_rollups, unnest(terms, counts) AS t (term, count)
           WHERE subject_kind = 1 AND subject_id = ${TARGET} AND term = 10) AS summed,
         (SELECT sum(clicks)::int FROM funnel_rollups WHERE subject_kind = 3 AND subject_id = ${APP}) AS of_app`;
