import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/time/clock';
import { Database } from '../../src/infrastructure/database/database';
import { IdempotencyStore } from '../../src/infrastructure/idempotency/idempotency-store';
import { BULK_JOB_TYPES, type BulkJobPayload } from '../../src/infrastructure/jobs/bulk-job';
import { BulkJobRepository } from '../../src/infrastructure/jobs/bulk-job.repository';
import { DomainChecks } from '../../src/modules/domains/checks/domain-checks';
import type { DueCheck } from '../../src/modules/link-health/due-checks.query';
import { HealthRecords } from '../../src/modules/link-health/health-records';
import { OgFetches } from '../../src/modules/tracked-links/open-graph/og-fetches';
import { DeliveriesRepository } from '../../src/modules/webhooks/deliveries/deliveries.repository';
import { WebhookOutbox } from '../../src/modules/webhooks/outbox/webhook-outbox';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { eventsOf, keepEvents } from '../support/outbox';
import { useTestApp } from '../support/test-app';
import { isAnyWaiting } from '../support/test-databases';

describe('claims', () => {
  const app = useTestApp({ redis: false });
  const orgs: TestOrganization[] = [];

  beforeAll(async () => {
    for (let n = 0; n < 2; n++) orgs.push(await createOrganization(app));
    // The workers of the application leave the rows to the tests.
    jest.spyOn(app.get(BulkJobRepository), 'due').mockResolvedValue([]);
    jest.spyOn(app.get(DeliveriesRepository), 'dueEndpoints').mockResolvedValue([]);
  });

  /** Takes while another transaction has begun to take the rows that `holding` updates, and then ends. */
  const takeDuring = async <T>(holding: string, take: () => Promise<T>, end: 'COMMIT' | 'ROLLBACK') => {
    const runner = app.get(DataSource).createQueryRunner();
    await runner.query('BEGIN');
    await runner.query(holding);
    const taken = take();
    await eventually(async () => expect(await isAnyWaiting(app.database.url)).toBe(true));
    await runner.query(end);
    await runner.release();
    return taken;
  };

  const now = () => app.get(Clock).date().toISOString();

  describe.each(['og_fetches', 'custom_domains'] as const)('%s', (table) => {
    const due = 12;
    const take = async (limit: number): Promise<unknown[]> =>
      table === 'og_fetches'
        ? app.get(OgFetches).take(limit)
        : app.get(DomainChecks).takeDue(new Date(app.get(Clock).now() - 1_800_000), limit);
    const first = () =>
      table === 'og_fetches'
        ? `UPDATE og_fetches SET due_at = '${now()}'::timestamptz + interval '1 hour' WHERE tracked_link_id <= 4`
        : `UPDATE custom_domains SET last_checked_at = '${now()}' WHERE domain_name < 'd05'`;

    beforeEach(async () => {
      await app.sql(`DELETE FROM ${table}`);
      for (const [i, { organizationId }] of orgs.entries()) {
        await app.sql(
          table === 'og_fetches'
            ? `INSERT INTO og_fetches (kind, tracked_link_id, organization_id, due_at)
               SELECT 1, n, $1, $2::timestamptz - interval '1 second' * n FROM generate_series(1, ${due}) AS n WHERE n % 2 = $3`
            : `INSERT INTO custom_domains (organization_id, domain_name, status, verification_token, created_at, last_checked_at)
               SELECT $1, 'd' || to_char(n, 'FM00') || '.example', 'PENDING', 't', $2::timestamptz,
                      $2::timestamptz - interval '1 hour' FROM generate_series(1, ${due}) AS n WHERE n % 2 = $3`,
          [organizationId, now(), i],
        );
      }
    });

    afterAll(() => app.sql(`DELETE FROM ${table}`));

    it('are taken once by two that take at once', async () => {
      expect(await takeDuring(first(), () => take(due), 'COMMIT')).toHaveLength(due - 4);
      expect(await take(due)).toEqual([]);
    });

    it('come back from one that was killed', async () => {
      expect(await takeDuring(first(), () => take(due), 'ROLLBACK')).toHaveLength(due);
    });

    it('are taken up to a limit', async () => {
      expect([await take(5), await take(5), await take(5)].map((rows) => rows.length)).toEqual([5, 5, 2]);
    });

    it('are taken once, and all, by many that take at once', async () => {
      const rows = (await Promise.all(Array.from({ length: 6 }, () => take(5)))).flat();
      for (let more = await take(5); more.length > 0; more = await take(5)) rows.push(...more);
      expect(rows).toHaveLength(due);
    });
  });

  it('of Open Graph fetches of many organizations do not fail, whichever nodes have them', async () => {
    const organizations = [...orgs];
    while (organizations.length < 8) organizations.push(await createOrganization(app));
    for (let round = 0; round < 10; round++) {
      await app.sql(
        `INSERT INTO og_fetches (kind, tracked_link_id, organization_id, due_at)
         SELECT 1, $3 + n, o, $2::timestamptz - interval '1 second' * n
           FROM unnest($1::bigint[]) AS o, generate_series(1, 10) AS n`,
        [organizations.map(({ organizationId }) => organizationId), now(), round * 10],
      );
      const taken = await Promise.all(Array.from({ length: 8 }, () => app.get(OgFetches).take(80)));
      expect(taken.flat()).toHaveLength(80);
    }
    await app.sql('DELETE FROM og_fetches');
  });

  describe('of webhook deliveries', () => {
    it('are taken once, and all, by many that take at once', async () => {
      const organizationId = orgs[0]?.organizationId ?? 0;
      await keepEvents(app, { organizationId });
      const data = { value: 1 };
      await app
        .get(Database)
        .write((tx) =>
          app
            .get(WebhookOutbox)
            .add(
              tx,
              ...Array.from(
                { length: 20 },
                () => ({ name: 'contact.created', organizationId, data }) as const,
              ),
            ),
        );
      const [endpoint] = await app.sql<{ id: number }>(
        `WITH enabled AS (
           UPDATE webhook_endpoints SET enabled = true, disabled_reason = NULL, disabled_at = NULL
            WHERE organization_id = $1 RETURNING id)
         SELECT id FROM enabled`,
        [organizationId],
      );
      const id = endpoint?.id ?? 0;
      await app.sql(
        `INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, event, next_at)
         SELECT gen_random_uuid(), organization_id, $2, id, name, $3 FROM outbox_events WHERE organization_id = $1`,
        [organizationId, id, now()],
      );
      const claim = () => app.get(DeliveriesRepository).claim({ organizationId, id }, 5, 'PUSH');
      const claimed = (await Promise.all(Array.from({ length: 6 }, claim))).flat();
      for (let more = await claim(); more.length > 0; more = await claim()) claimed.push(...more);
      expect(claimed).toHaveLength(20);
      expect(new Set(claimed.map((delivery) => delivery.id)).size).toBe(20);
    });
  });

  describe('of bulk jobs', () => {
    it('are taken by one of many that take at once', async () => {
      const organizationId = orgs[0]?.organizationId ?? 0;
      const rows = app.get(BulkJobRepository);
      const payload: BulkJobPayload = { context: {}, items: [1] };
      for (let n = 0; n < 5; n++) {
        const id = await app
          .get(Database)
          .write((tx) => rows.insert(tx, organizationId, BULK_JOB_TYPES[0], payload));
        const claims = Array.from({ length: 6 }, () => rows.claim({ organizationId, id }, randomUUID()));
        expect((await Promise.all(claims)).filter((job) => job !== null)).toHaveLength(1);
      }
    });
  });

  it('of failed checks: a link falls once when two workers find its third failure', async () => {
    const org = orgs[1];
    if (!org) throw new Error('No organization');
    await keepEvents(app, org);
    const { id } = await createLink(org);
    await app.sql(
      `UPDATE link_health SET failed_at = ARRAY[$2::timestamptz - interval '1 day', $2::timestamptz - interval '2 days']
        WHERE tracked_link_id = $1`,
      [id, now()],
    );
    const [row] = await app.sql<{ generation: number }>(
      'SELECT generation FROM link_health WHERE tracked_link_id = $1',
      [id],
    );
    const check: DueCheck = {
      kind: 'link',
      id,
      organizationId: org.organizationId,
      generation: row?.generation ?? 0,
      originalUrl: null,
      startsAt: null,
      urls: [],
      late: false,
    };
    await Promise.all([1, 2, 3].map(() => app.get(HealthRecords).judge([check], 'NOT_FOUND')));
    const events = await eventsOf(app, org.organizationId);
    expect(events.filter(({ name }) => name === 'link.unhealthy')).toHaveLength(1);
  });

  it('of expired answers leave one that a request has replaced meanwhile', async () => {
    const organizationId = orgs[0]?.organizationId ?? 0;
    const store = app.get(IdempotencyStore);
    const scope = { organizationId, hash: Buffer.alloc(32, 1) };
    const answer = { status: 200, headers: {}, body: null };
    await app.get(Database).write((tx) => store.store(tx, scope, Buffer.alloc(32), answer));
    await app.sql('UPDATE idempotency_keys SET created_at = $1', [
      new Date(app.get(Clock).now() - 2 * 86_400_000),
    ]);
    await takeDuring(
      `UPDATE idempotency_keys SET created_at = '${now()}'`,
      () => store.deleteExpired(),
      'COMMIT',
    );
    expect(await app.sql('SELECT FROM idempotency_keys')).toHaveLength(1);
  });
});
