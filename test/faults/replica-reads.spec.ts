import { SUBJECT_KIND } from '../../src/modules/sessions/funnel';
import { eventually } from '../support/eventually';
import { type PostgresPair, startPostgresPair } from '../support/postgres-15';
import { sql } from './accounts';
import { call, Customer, visit } from './customer';
import { CONSOLE_TOKEN, type Service } from './service';
import { Stage } from './stage';

/** Longer than any test keeps the replica from replaying. */
const MAX_LAG_SECONDS = 30;
const HEADERS = { Authorization: `Bearer ${CONSOLE_TOKEN}` };

/** A read of the console API, whose paths are those of the Service API too. */
interface Read {
  /** Tables that the read scans. */
  readonly tables: readonly string[];
  /** Path of the request. @param word a name that only this read uses */
  readonly path: (word: string) => string;
  /** Body of a POST; without it, the request is a GET. */
  readonly body?: (word: string) => object;
  /** Set-up before the replica stops. */
  readonly given?: (word: string) => Promise<unknown>;
  /** Change that puts the word into the answer. */
  readonly change: (word: string) => Promise<unknown>;
  /** Text that stands for the word in the answer; by default the word itself. */
  readonly shows?: string;
}

describe('What a replica answers', () => {
  const stage = new Stage();
  let servers: PostgresPair;
  let services: readonly [Service, Service];
  let customer: Customer;
  let userId: number;
  let appId: number;
  let linkId: number;
  let webhookId: number;
  let groupId: number;

  beforeAll(async () => {
    servers = await startPostgresPair();
    stage.ending(() => servers.stop());
    const env = {
      DATABASE_URL: servers.primary.url,
      DATABASE_REPLICA_URL: servers.standby.url,
      REPLICA_MAX_LAG: String(MAX_LAG_SECONDS),
      REDIS_URL: (await stage.redis()).url,
    };
    services = [await stage.service(env), await stage.service(env)];
    customer = await Customer.create(services[0].url);
    const user = { username: 'reads', password: 'a password of the fault tests', permissions: [] };
    for (const addOn of ['MESSAGING', 'DYNAMIC_SEGMENT', 'REVENUE_ANALYTICS'])
      await change('PUT', `/add-ons/${addOn}`, {});
    userId = await created('/users', user);
    appId = await created('/mobile-apps', { platform: 'iOS', appName: 'Shop', bundleId: 'com.example.shop' });
    linkId = (await customer.createLink(services[0].url, { title: 'Spring' })).id;
    // Nobody listens there.
    webhookId = await created('/webhooks', {
      url: 'https://shop.example.com/hooks',
      events: ['link.deleted'],
    });
    // Marks count from when Redis has been connected for as long as they stay.
    await eventually(async () => {
      const text = await (await fetch(`${services[1].url}/metrics`)).text();
      await read('/urls');
      expect(text).toMatch(/^waypost_report_reads_total\{store="replica"\} [1-9]/m);
    });
  });
  afterEach(() => sql(servers.standby.url, 'SELECT pg_wal_replay_resume()'));
  afterAll(() => stage.clear());

  const consoleOf = (service: Service, of = customer.organizationId) =>
    `${service.url}/api/v1/console/organizations/${of}`;

  /** Changes something through the first process. */
  async function change<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await call<T>(consoleOf(services[0]) + path, method, HEADERS, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async function created(path: string, body: object): Promise<number> {
    return (await change<{ id: number }>('POST', path, body)).id;
  }

  /** What the second process answers. */
  async function read(path: string, body?: object, of?: number): Promise<string> {
    const answer = await fetch(consoleOf(services[1], of) + path, {
      method: body ? 'POST' : 'GET',
      headers: { ...HEADERS, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
    return text;
  }

  /** Stops the replica once it has replayed everything, even if it is stopped already. */
  async function stopReplay(): Promise<void> {
    await sql(servers.standby.url, 'SELECT pg_wal_replay_resume()');
    const [written] = await sql<{ lsn: string }>(
      servers.primary.url,
      `SELECT pg_logical_emit_message(true, 'test', '')::text, pg_current_wal_insert_lsn()::text AS lsn`,
    );
    await eventually(async () => {
      const [replayed] = await sql<{ all: boolean }>(
        servers.standby.url,
        `SELECT pg_last_wal_replay_lsn() >= '${written?.lsn}' AS all`,
      );
      expect(replayed?.all).toBe(true);
    });
    await sql(servers.standby.url, 'SELECT pg_wal_replay_pause()');
    await eventually(async () => {
      const state = 'SELECT pg_get_wal_replay_pause_state() AS state';
      expect(await sql(servers.standby.url, state)).toEqual([{ state: 'paused' }]);
    });
  }

  const renamed = (tables: readonly string[], [from, to]: readonly [string, string]) =>
    sql(
      servers.primary.url,
      tables.map((table) => `ALTER TABLE ${table}${from} RENAME TO ${table}${to}`).join(';'),
    );

  /** Runs `work` while only the replica has these tables. */
  async function without<T>(tables: readonly string[], work: () => Promise<T>): Promise<T> {
    await renamed(tables, ['', '_away']);
    return work().finally(() => renamed(tables, ['_away', '']));
  }

  /**
   * Stops the replica and reads it, until the answer comes from the replica: on a busy machine it may take longer than
   * half a second, and a write whose LSN could not be read in time sends reads to the primary for the maximum lag.
   */
  const readReplica = (tables: readonly string[], path: string, body?: object) =>
    eventually(async () => {
      await stopReplay();
      return without(tables, () => read(path, body));
    });

  /** A change by SQL, which the next change of the organization marks. */
  async function inserted(statement: string): Promise<void> {
    await sql(servers.primary.url, statement);
    await customer.createLink(services[0].url);
  }

  const goal = (kind: keyof typeof SUBJECT_KIND, subject: number, type: string, currency = 'KRW') =>
    inserted(`INSERT INTO goal_rollups (organization_id, app_id, subject_id, day, subject_kind, platform, slot, goals,
                                        value, goal_type, currency)
              VALUES (${customer.organizationId}, ${appId}, ${subject}, current_date, ${SUBJECT_KIND[kind]}, 2, 0, 1,
                      1, '${type}', '${currency}')`);

  const graded = (word: string) => [
    { conditions: [{ propKey: 'custom.grade', propOp: 'EQ', propValue: word }] },
  ];
  const named = (word: string) => ({ url: 'https://shop.example.com/', title: word });

  const READS: Readonly<Record<string, Read>> = {
    'links by a former alias': {
      tables: ['former_codes'],
      path: (word) => `/urls?keyword=${word}`,
      change: async (word) => {
        const id = await created('/urls', { url: 'https://shop.example.com/', customAlias: word });
        await change('PUT', `/urls/${id}`, { customAlias: 'another' });
      },
      shows: '/another"',
    },
    'links as CSV': {
      tables: ['links', 'click_totals'],
      path: () => '/urls/export',
      change: (word) => created('/urls', named(word)),
    },
    'names of links in statistics': {
      tables: ['links'],
      path: () => '/analytics/clicks?groupBy=link',
      given: async () => {
        const link = await customer.createLink(services[0].url, { title: 'Summer' });
        linkId = link.id;
        await visit(services[0].url, link, '203.0.113.7');
        await eventually(async () =>
          expect(await read('/analytics/clicks?groupBy=link')).toContain('Summer'),
        );
      },
      change: (word) => change('PUT', `/urls/${linkId}`, { title: word }),
    },
    'names of apps in statistics': {
      tables: ['apps'],
      path: () => '/analytics/clicks?groupBy=app',
      given: async () => {
        const link = await customer.createLink(services[0].url);
        await visit(services[0].url, link, '203.0.113.8');
        await eventually(async () => expect(await customer.clickCount(services[0].url, link)).toBe(1));
        await sql(
          servers.primary.url,
          `UPDATE clicks SET app_id = ${appId} WHERE tracked_link_id = ${link.id}`,
        );
        await eventually(async () => expect(await read('/analytics/clicks?groupBy=app')).toContain('Shop'));
      },
      change: (word) => change('PUT', `/mobile-apps/${appId}`, { appName: word }),
    },
    'what needs attention': {
      tables: ['link_health', 'links', 'campaigns', 'custom_domains', 'api_keys', 'webhook_endpoints'].concat(
        'webhook_deliveries',
      ),
      path: () => '/attention',
      change: (word) => {
        const expiresAt = new Date(Date.now() + 7 * 86_400_000).toISOString();
        return created('/api-keys', { name: word, userId, expiresAt });
      },
    },
    'the audit log': {
      tables: ['audit_log'],
      path: () => '/audit-log?action=contact_group.create',
      change: (word) => created('/messaging/groups', { name: word }),
    },
    'contacts by a keyword': {
      tables: ['contacts'],
      path: (word) => `/messaging/contacts?keyword=${word}`,
      change: (word) => created('/messaging/contacts', { name: word, phone: '+14155550100' }),
    },
    'ids of contacts': {
      tables: ['contacts'],
      path: (word) => `/messaging/contacts/ids?keyword=${word}`,
      change: (word) => created('/messaging/contacts', { name: word }),
      shows: '"total":1',
    },
    'contacts as CSV': {
      tables: ['contacts', 'contact_group_members', 'unsubscribes'],
      path: () => '/messaging/contacts/export',
      given: () => created('/messaging/contacts', { name: 'First', phone: '+14155550102' }),
      change: (word) => created('/messaging/contacts', { name: word }),
    },
    'contacts of a group': {
      tables: ['contacts', 'contact_group_members', 'unsubscribes'],
      path: () => `/messaging/groups/${groupId}/members`,
      given: async (word) => {
        groupId = await created('/messaging/groups', { name: word });
        const id = await created('/messaging/contacts', { name: 'Member', phone: '+14155550103' });
        await change('POST', `/messaging/groups/${groupId}/members`, { contactIds: [id] });
      },
      change: async (word) => {
        const id = await created('/messaging/contacts', { name: word });
        await change('POST', `/messaging/groups/${groupId}/members`, { contactIds: [id] });
      },
    },
    'properties of contacts': {
      tables: ['activity_metrics', 'contacts'],
      path: () => '/segments/properties',
      change: (word) =>
        inserted(
          `INSERT INTO activity_metrics (organization_id, metric) VALUES (${customer.organizationId}, '${word}')`,
        ),
    },
    segments: {
      tables: ['segments'],
      path: () => '/segments',
      change: (word) => created('/segments', { name: word, conditionGroups: graded(word) }),
    },
    'the count of a segment': {
      tables: ['contacts'],
      path: () => '/segments/count',
      body: (word) => ({ conditionGroups: graded(word) }),
      change: (word) =>
        created('/messaging/contacts', {
          name: 'Graded',
          phone: '+14155550101',
          customFields: { grade: word },
        }),
      shows: '{"count":1}',
    },
    'goal types': {
      tables: ['goal_rollups'],
      path: () => `/analytics/conversions/goals?appId=${appId}`,
      change: (word) => goal('app', appId, word),
    },
    'links with the most goals': {
      tables: ['goal_rollups', 'goal_months', 'links'],
      path: (word) => `/analytics/conversions/top?resourceType=url&appId=${appId}&goalType=${word}`,
      change: (word) => goal('link', linkId, word),
      shows: '"conversions":1',
    },
    'links with the most purchases': {
      tables: ['goal_rollups', 'goal_months', 'links'],
      path: () => `/analytics/conversions/top?resourceType=url&appId=${appId}&goalType=purchase_CHF`,
      change: () => goal('link', linkId, 'purchase', 'CHF'),
      shows: '"conversions":1',
    },
    'conversions of links': {
      tables: ['goal_rollups'],
      path: () => '/analytics/conversions/groups?groupBy=link',
      change: () => goal('link', linkId, 'purchase', 'NOK'),
      shows: '"NOK"',
    },
    'webhook endpoints': {
      tables: ['webhook_endpoints', 'webhook_deliveries'],
      path: () => '/webhooks',
      change: (word) =>
        created('/webhooks', { url: `https://shop.example.com/${word}`, events: ['link.deleted'] }),
    },
    'counts of webhook deliveries': {
      tables: ['webhook_deliveries'],
      path: () => `/webhooks/${webhookId}`,
      change: () => change('POST', `/webhooks/${webhookId}/test`),
      shows: '"pending":1',
    },
    'movements of credits': {
      tables: ['credit_transactions'],
      path: () => '/credits/transactions',
      change: (word) => change('POST', '/credits/transactions', { type: 'CHARGE', amount: 1, reason: word }),
    },
    'opt-out links': {
      tables: ['opt_out_links'],
      path: () => '/messaging/opt-out-links',
      change: (word) => change('POST', '/messaging/opt-out-links', { channel: 'EMAIL', campaign: word }),
    },
    'custom domains': {
      tables: ['custom_domains'],
      path: () => '/custom-domains',
      change: (word) => created('/custom-domains', { domainName: `${word}.example.com` }),
    },
    'usable custom domains': {
      tables: ['custom_domains'],
      path: () => '/custom-domains/verified',
      change: async (word) => {
        const id = await created('/custom-domains', { domainName: `${word}.example.org` });
        await inserted(`UPDATE custom_domains SET status = 'VERIFIED' WHERE id = ${id}`);
      },
    },
    apps: {
      tables: ['apps'],
      path: () => '/mobile-apps',
      change: (word) =>
        created('/mobile-apps', { platform: 'iOS', appName: word, bundleId: `com.example.${word}` }),
    },
    'debug reports': {
      tables: ['debug_schemes'],
      path: () => '/debug-schemes',
      change: (word) =>
        inserted(`INSERT INTO debug_schemes (organization_id, received_at, app_url)
                  VALUES (${customer.organizationId}, now(), '${word}://')`),
    },
    usage: {
      tables: ['link_counts', 'contact_counts', 'webhook_endpoints'],
      path: () => '/usage',
      given: async () => {
        await change('PATCH', '', { limits: { webhookEndpoints: 49 } });
      },
      change: async () => {
        const { totalElements } = await change<{ totalElements: number }>('GET', '/webhooks');
        for (let made = totalElements; made < 9; made++) {
          await created('/webhooks', { url: 'https://shop.example.com/hooks', events: ['link.deleted'] });
        }
      },
      shows: '"webhookEndpoints":{"limit":49,"usage":9}',
    },
  };

  it.each(Object.keys(READS))('%s', async (name) => {
    const { tables, path, body, given, change: write, shows } = READS[name] as Read;
    const word = `word${Object.keys(READS).indexOf(name)}`;
    await given?.(word);
    const before = await readReplica(tables, path(word), body?.(word));
    expect(before).not.toContain(shows ?? word);
    await write(word);
    expect(await read(path(word), body?.(word))).toContain(shows ?? word);
  });

  it('the number of many contacts', async () => {
    const many = 5_001;
    // The page is beyond the last, because the contacts of a page are read by their keys.
    const path = (second: number) => `/messaging/contacts?updatedAfter=2026-01-01T00:00:0${second}Z&page=900`;
    const { totalElements } = await change<{ totalElements: number }>('GET', '/messaging/contacts');
    for (let made = totalElements; made < many; made += 1_000) {
      const length = Math.min(1_000, many - made);
      const contacts = Array.from({ length }, (_, i) => ({ externalUserId: `m${made + i}` }));
      await change('POST', '/messaging/contacts/bulk', contacts);
    }
    expect(await readReplica(['contacts'], path(1))).toContain(`"totalElements":${many},`);
    await created('/messaging/contacts', { externalUserId: 'last' });
    // A number is kept for a minute, for one filter.
    expect(await read(path(2))).toContain(`"totalElements":${many + 1},`);
  });

  describe('is not asked about what has been written by', () => {
    it('a list, which makes the default group', async () => {
      const other = await Customer.create(services[0].url);
      await call(`${consoleOf(services[0], other.organizationId)}/add-ons/MESSAGING`, 'PUT', HEADERS, {});
      await stopReplay();
      expect(await read('/messaging/groups', undefined, other.organizationId)).toContain('"totalElements":1');
    });

    it('an import that ends with an error', async () => {
      await stopReplay();
      const answer = await fetch(`${consoleOf(services[0])}/urls/import`, {
        method: 'POST',
        headers: { ...HEADERS, 'Content-Type': 'text/csv' },
        body: 'url,customAlias\nhttps://shop.example.com/,imported\nhttps://shop.example.com/,"no end',
      });
      expect(await answer.text()).toContain('1 were created');
      expect(await read('/urls?keyword=imported')).toContain('"totalElements":1');
    });

    it('the request that has made the organization', async () => {
      await stopReplay();
      const path = `${services[0].url}/api/v1/console/organizations`;
      const { body } = await call<{ id: number }>(path, 'POST', HEADERS, { name: 'New' });
      expect(await read('/audit-log', undefined, body.id)).toContain('organization.create');
    });

    it('somebody who has accepted an invitation', async () => {
      const { url } = await change<{ url: string }>('POST', '/invitations', { role: 'VIEWER' });
      await stopReplay();
      const path = `${services[0].url}/api/v1/console/invitations/${url.split('/').at(-1)}/accept`;
      const person = { username: 'invited', password: 'a password of the fault tests' };
      expect((await call(path, 'POST', { Origin: new URL(url).origin }, person)).status).toBe(201);
      expect(await read('/audit-log')).toContain('invitation.accept');
    });
  });
});
