import request from 'supertest';
import { AccessHousekeeping } from '../../src/access/access-housekeeping';
import { SignInLinks } from '../../src/access/sign-in-links/sign-in-links.service';
import { OidcSignIns } from '../../src/access/oidc/oidc-sign-ins';
import { Database } from '../../src/infrastructure/database/database';
import { consoleApi, createOrganization } from '../support/factories';
import { besideTransaction } from '../support/one-connection';
import { API_HOST, perTest, useTestApp } from '../support/test-app';

const HOUR = 3_600_000;
const MINUTE = 60_000;

describe('expired rows of access', () => {
  const app = useTestApp();
  beforeEach(async () => {
    app.clock.set('2026-11-20T08:00:00Z');
    await app.sql(
      'TRUNCATE scheduled_jobs, console_sessions, invitations, oidc_sign_ins, sign_in_links, login_failures',
    );
  });
  const own = perTest(() => createOrganization(app));

  const login = (username: string, password: string) =>
    request(app.url)
      .post('/api/v1/console/login')
      .set({ Host: API_HOST, 'X-Forwarded-For': '198.51.100.1' })
      .send({ username, password });
  const invitations = () => `${own.consolePath}/invitations`;
  const begin = (state: string) =>
    app
      .get(OidcSignIns)
      .add(state, 'a browser', { codeVerifier: 'v', nonce: 'n', returnTo: '/', invitationId: null });

  /** One row in each of the tables. */
  const fill = async (name: string) => {
    await login(own.username, own.password).expect(200);
    await login(`nobody-${name}`, 'wrong password').expect(401);
    await consoleApi(app).post(invitations(), {}).expect(201);
    await begin(name);
    await app.get(SignInLinks).create({ username: own.username });
  };
  const counts = async () => {
    const [row] = await app.sql(`
      SELECT (SELECT count(*)::int FROM console_sessions) AS sessions,
             (SELECT count(*)::int FROM invitations) AS invitations,
             (SELECT count(*)::int FROM oidc_sign_ins) AS "signIns",
             (SELECT count(*)::int FROM sign_in_links) AS links,
             (SELECT count(*)::int FROM login_failures) AS failures`);
    return row;
  };
  const purge = () => app.get(AccessHousekeeping).deleteExpired();

  it('are not deleted by requests', async () => {
    await fill('first');
    app.clock.advance(100 * HOUR);
    await fill('second');
    expect(await counts()).toEqual({ sessions: 2, invitations: 2, signIns: 2, links: 2, failures: 2 });
  });

  it('are deleted by the schedule, and others stay', async () => {
    await fill('first');
    app.clock.advance(100 * HOUR);
    await fill('second');
    expect(await purge()).toBe(true);
    expect(await counts()).toEqual({ sessions: 1, invitations: 1, signIns: 1, links: 1, failures: 1 });
    expect((await consoleApi(app).get(invitations())).body.totalElements).toBe(1);
  });

  it.each([
    ['signIns', 10 * MINUTE],
    ['failures', 30 * MINUTE],
    ['sessions', 12 * HOUR],
    ['links', 24 * HOUR],
    ['invitations', 72 * HOUR],
  ])('are deleted as soon as they have no effect: %s', async (table, age) => {
    await fill('first');
    app.clock.advance(age - 1);
    await purge();
    expect(await counts()).toHaveProperty(table, 1);
    await app.sql('TRUNCATE scheduled_jobs');
    app.clock.advance(1);
    await purge();
    expect(await counts()).toHaveProperty(table, 0);
  });

  it('include users of deleted organizations, and no others', async () => {
    const other = await createOrganization(app);
    await app.sql('UPDATE organizations SET deleted_at = $2 WHERE id = $1', [
      own.organizationId,
      app.clock.date(),
    ]);
    await purge();
    const left = await app.sql('SELECT id FROM users WHERE id = ANY ($1)', [[own.userId, other.userId]]);
    expect(left).toEqual([{ id: other.userId }]);
  });

  it('leave a lock of a user name alone', async () => {
    for (let i = 0; i < 10; i++) await login(own.username, 'wrong password').expect(401);
    app.clock.advance(15 * MINUTE - 1);
    await purge();
    await login(own.username, own.password).expect(429);
  });

  it('are deleted in batches, however many there are', async () => {
    await app.sql(
      `INSERT INTO login_failures (username_hash, failed_at, last_at)
       SELECT sha256(n::text::bytea), ARRAY[$1::timestamptz], $1::timestamptz - n % 2 * interval '1 hour'
         FROM generate_series(1, 6001) AS n`,
      [app.clock.date()],
    );
    await app.sql(`
      CREATE FUNCTION largest_batch() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (SELECT count(*) FROM gone) > 1000 THEN RAISE EXCEPTION 'too many rows in one statement'; END IF;
        RETURN NULL;
      END $$`);
    await app.sql(`
      CREATE TRIGGER largest_batch AFTER DELETE ON login_failures
        REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION largest_batch()`);
    expect(await purge()).toBe(true);
    expect(await counts()).toMatchObject({ failures: 3000 });
    await app.sql('DROP FUNCTION largest_batch CASCADE');
  });

  it('are left to the next run while a sign-in locks them', async () => {
    await fill('first');
    app.clock.advance(100 * HOUR);
    await app.get(Database).write(async (tx) => {
      await tx.query('SELECT 1 FROM login_failures FOR UPDATE');
      await besideTransaction(purge);
    });
    expect(await counts()).toEqual({ sessions: 0, invitations: 0, signIns: 0, links: 0, failures: 1 });
  });
});
