import { DatabaseError } from 'pg';
import type { OutgoingRequest, OutgoingResult } from '../../src/common/outgoing/outgoing';
import { OutgoingClient } from '../../src/common/outgoing/outgoing-client';
import { Database } from '../../src/infrastructure/database/database';
import { HealthRound } from '../../src/modules/link-health/health-round';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';

const NOW = '2026-11-20T08:32:00Z';
/** More than a round asks the database for at once. */
const FLOOD = 600;

describe('Turns of organizations whose destinations are checked', () => {
  const app = useTestApp({ redis: false });
  let asked: string[];
  let end: () => Promise<void>;

  beforeEach(async () => {
    app.clock.set(NOW);
    await app.sql('DELETE FROM link_health');
    asked = [];
    end = () => Promise.resolve();
    jest.spyOn(app.get(OutgoingClient), 'request').mockImplementation(answer);
  });
  afterEach(async () => {
    await end();
    jest.restoreAllMocks();
  });

  /** Hosts whose names begin with `hangs` never answer. */
  async function answer({ url, signal }: OutgoingRequest): Promise<OutgoingResult> {
    asked.push(new URL(url).hostname);
    if (!new URL(url).hostname.startsWith('hangs'))
      return { ok: true, status: 200, headers: {}, body: Buffer.alloc(0), cut: false, url };
    await new Promise((given) => signal?.addEventListener('abort', given));
    return { ok: false, problem: 'TIMEOUT', message: 'No answer' };
  }

  /** @param url of each; `*` stands for the id of the link */
  async function links(
    { api, organizationId }: TestOrganization,
    count: number,
    url: string,
    targets: readonly string[] = [],
  ): Promise<void> {
    app.clock.advance(1_000);
    const items = Array.from({ length: count }, () => ({ url: 'https://shop.example.com/' }));
    await api.post('/api/v1/service/urls/bulk', { items }).expect(200);
    await app.alter(
      `UPDATE links SET original_url = replace($2, '*', id::text), targeting = replace($3, '*', id::text)::jsonb,
                        updated_at = $4
        WHERE organization_id = $1`,
      [
        organizationId,
        url,
        JSON.stringify(targets.map((target) => ({ os: ['iOS'], url: target }))),
        app.clock.date(),
      ],
    );
  }

  /** Begins a round, which ends with the test. */
  function begin(): void {
    const stop = new AbortController();
    const running = app.get(HealthRound).run(stop.signal);
    end = () => {
      stop.abort();
      return running;
    };
  }

  async function checked({ organizationId }: TestOrganization): Promise<number> {
    const sql = `SELECT count(*) AS checked FROM link_health WHERE organization_id = $1 AND status = 'healthy'`;
    const [row] = await app.sql<{ checked: number }>(sql, [organizationId]);
    return row?.checked ?? 0;
  }

  it('come however many due checks another one has', async () => {
    const flood = await createOrganization(app);
    const others = [await createOrganization(app), await createOrganization(app)];
    await links(flood, FLOOD, 'http://hangs-*.test/');
    for (const other of others) await links(other, 3, 'http://works-*.test/');
    begin();
    for (const other of others) await eventually(async () => expect(await checked(other)).toBe(3));
  });

  it('come though those of another one that hang fill no round', async () => {
    const [slow, other] = [await createOrganization(app), await createOrganization(app)];
    await links(slow, 20, 'http://hangs-*.test/');
    await links(other, 20, 'http://works-*.test/');
    begin();
    await eventually(async () => expect(await checked(other)).toBe(20));
    const hanging = () => new Set(asked.filter((host) => host.startsWith('hangs'))).size;
    await eventually(() => Promise.resolve(hanging()).then((hosts) => expect(hosts).toBe(10)));
  });

  it('share a host, also with checks that hang at another destination', async () => {
    const [slow, other] = [await createOrganization(app), await createOrganization(app)];
    await links(slow, 5, 'http://shared.test/*', ['http://hangs-*.test/']);
    await links(other, 20, 'http://shared.test/*');
    begin();
    await eventually(async () => expect(await checked(other)).toBe(20));
  });

  it('are all of one that is alone', async () => {
    const alone = await createOrganization(app);
    await links(alone, FLOOD, 'http://works-*.test/');
    const read = jest.spyOn(app.get(Database), 'read');
    await app.get(HealthRound).run(new AbortController().signal);
    expect(await checked(alone)).toBe(FLOOD);
    // Those of others are looked for once.
    expect(read.mock.calls.filter(([sql]) => sql.includes('next_check_at <='))).toHaveLength(3);
  });

  it('leave out others when it takes too long to find them', async () => {
    const [flood, other] = [await createOrganization(app), await createOrganization(app)];
    await links(flood, FLOOD, 'http://works-*.test/');
    await links(other, 1, 'http://works-*.test/');
    const database = app.get(Database);
    const read = database.read.bind(database);
    jest.spyOn(database, 'read').mockImplementation((sql, parameters = []) => {
      const isLate = sql.includes('next_check_at <=') && (parameters[2] as number[]).length > 0;
      const late = new DatabaseError('canceling statement due to statement timeout', 0, 'error');
      return isLate ? Promise.reject(Object.assign(late, { code: '57014' })) : read(sql, parameters);
    });
    await app.get(HealthRound).run(new AbortController().signal);
    expect([await checked(flood), await checked(other)]).toEqual([FLOOD, 1]);
  });
});
