import { scryptSync } from 'node:crypto';
import request from 'supertest';
import { SCRYPT } from '../../src/access/console/password';
import { PasswordsService } from '../../src/access/console/passwords.service';
import { UsersService } from '../../src/access/users/users.service';
import { callerOf, consoleApi, createOrganization } from '../support/factories';
import { API_HOST, CONSOLE_TOKEN, TestApp, useTestApp } from '../support/test-app';

const LOGIN = '/api/v1/console/login';
const MINUTE = 60_000;

describe('console login', () => {
  const app = useTestApp();
  const second = useTestApp(() => ({ database: app.database }));
  let ip = '';
  let networks = 0;
  beforeEach(() => {
    ip = `198.51.100.${++networks}`;
    app.clock.set('2026-11-20T08:32:00Z');
    second.clock.set('2026-11-20T08:32:00Z');
  });

  const login = (username: unknown, password: unknown, at = app, from = ip) =>
    request(at.url).post(LOGIN).set({ Host: API_HOST, 'X-Forwarded-For': from }).send({ username, password });

  const fail = async (username: string, times: number) => {
    for (let i = 0; i < times; i++) await login(username, 'wrong password').expect(401);
  };

  it('returns a token for 12 hours', async () => {
    const { username, password, organizationId } = await createOrganization(app, {
      permissions: ['mau.view'],
    });
    const { body } = await login(username, password).expect(200);
    expect(body).toEqual({
      token: expect.stringMatching(/^wp_console_[\w-]{43}$/),
      expiresAt: '2026-11-20T20:32:00Z',
      organizationId,
      permissions: ['mau.view'],
    });

    const path = `/api/v1/console/organizations/${organizationId}`;
    app.clock.set('2026-11-20T20:31:59Z');
    await consoleApi(app, body.token).get(path).expect(200);
    app.clock.set('2026-11-20T20:32:00Z');
    const expired = await consoleApi(app, body.token).get(path).expect(401);
    expect(expired.body.code).toBe('CONSOLE_TOKEN_INVALID');
  });

  it('stores neither password nor token in plain text', async () => {
    const { organizationId, username, userId } = await createOrganization(app);
    const password = 'as a user would choose it';
    const user = `/api/v1/console/organizations/${organizationId}/users/${userId}`;
    const { cost } = SCRYPT;
    SCRYPT.cost = null;
    await consoleApi(app).patch(user, { password }).expect(200);
    const { body } = await login(username, password).expect(200);
    SCRYPT.cost = cost;
    const rows = JSON.stringify([
      await app.sql('SELECT * FROM users WHERE id = $1', [userId]),
      await app.sql("SELECT encode(token_hash, 'escape') FROM console_sessions WHERE user_id = $1", [userId]),
    ]);
    const [, salt = '', key] = /scrypt\$14\$8\$5\$([^$]+)\$([^"]+)/.exec(rows) ?? [];
    const options = { N: 2 ** 14, r: 8, p: 5 };
    expect(scryptSync(password, Buffer.from(salt, 'base64'), 32, options).toString('base64')).toBe(key);
    expect(rows).not.toContain(password);
    expect(rows).not.toContain(body.token);
  });

  it('returns the same for an unknown user and a wrong password', async () => {
    const { username } = await createOrganization(app);
    const wrong = await login(username, 'wrong password').expect(401);
    const unknown = await login('nobody-of-that-name', 'wrong password').expect(401);
    expect(wrong.body).toMatchObject({ code: 'CREDENTIALS_INVALID' });
    expect(unknown.body).toEqual(wrong.body);
  });

  it('finds the user in any letter case of the name', async () => {
    const { username, password, organizationId } = await createOrganization(app);
    const { body } = await login(username.toUpperCase(), password).expect(200);
    expect(body).toMatchObject({ organizationId });
    await login(`${username}x`.toUpperCase(), password).expect(401);
  });

  it('accepts passwords in any Unicode normalization form', async () => {
    const { organizationId } = await createOrganization(app);
    const by = await callerOf(app, organizationId);
    await app.get(UsersService).create(by, { username: 'composed', password: 'pässwörter' });
    await login('composed', 'pässwörter'.normalize('NFD')).expect(200);
  });

  describe('after failures', () => {
    it('locks the user name for 15 minutes from the tenth on', async () => {
      const { username, password } = await createOrganization(app);
      await fail(username, 10);
      const locked = await login(username, password).expect(429);
      expect(locked.body.code).toBe('RATE_LIMITED');
      expect(locked.headers['retry-after']).toBe('900');
      app.clock.advance(15 * MINUTE - 1000);
      const still = await login(username, password).expect(429);
      expect(still.headers['retry-after']).toBe('1');
      app.clock.advance(1000);
      await login(username, password).expect(200);
    });

    it('counts a name in any letter case', async () => {
      const { username, password } = await createOrganization(app);
      await fail(username, 5);
      await fail(username.toUpperCase(), 5);
      await login(username, password).expect(429);
    });

    it('does not lock after nine, and a success resets the count', async () => {
      const { username, password } = await createOrganization(app);
      await fail(username, 9);
      await login(username, password).expect(200);
      await fail(username, 9);
      await login(username, password).expect(200);
    });

    it('counts failures of the last 15 minutes', async () => {
      const { username, password } = await createOrganization(app);
      await fail(username, 5);
      app.clock.advance(10 * MINUTE);
      await fail(username, 4);
      app.clock.advance(5 * MINUTE);
      // The first five have expired, so this is the fifth failure, not the tenth.
      await fail(username, 1);
      await login(username, password).expect(200);
    });

    it('slides: failures on both sides of a quarter of an hour count together', async () => {
      const { username, password } = await createOrganization(app);
      await fail(username, 1);
      app.clock.advance(14 * MINUTE);
      await fail(username, 8);
      app.clock.advance(2 * MINUTE);
      await fail(username, 2);
      await login(username, password).expect(429);
    });

    it('resets the count after a lock', async () => {
      const { username, password } = await createOrganization(app);
      await fail(username, 10);
      app.clock.advance(15 * MINUTE);
      await fail(username, 9);
      await login(username, password).expect(200);
    });

    it('locks unknown names too, and nobody else', async () => {
      const { username, password } = await createOrganization(app);
      await fail('somebody-unknown', 10);
      await login('somebody-unknown', 'wrong password').expect(429);
      await login(username, password).expect(200);
    });

    it('checks at most ten of many parallel guesses, over two processes', async () => {
      const { username, password } = await createOrganization(app);
      const guesses = Array.from({ length: 40 }, (_, i) =>
        login(username, `guess number ${i}`, i % 2 ? app : second),
      );
      const statuses = (await Promise.all(guesses)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(30);
      await login(username, password).expect(429);
      await login(username, password, second).expect(429);
    });

    it('locks the network from the fiftieth on, whatever the names, over all processes', async () => {
      const { username, password } = await createOrganization(app);
      const others = [];
      for (let i = 0; i < 6; i++) others.push(await createOrganization(app));
      const wrong = (of: { username: string }, at = app, from = ip) =>
        login(of.username, 'wrong password', at, from);
      for (const other of others.slice(0, 5)) {
        for (let i = 0; i < 9; i++) await wrong(other).expect(401);
      }
      await login(username, password).expect(200);
      for (let i = 0; i < 5; i++) await wrong(others[5] ?? { username }, second).expect(401);
      const locked = await login(username, password).expect(429);
      expect(locked.headers['retry-after']).toBe('900');
      await login(username, password, second).expect(429);
      await login(username, password, app, '203.0.113.99').expect(200);
      app.clock.advance(15 * MINUTE);
      await login(username, password).expect(200);
    });

    it('counts an IPv6 network by its first 64 bits', async () => {
      const { username, password } = await createOrganization(app);
      const others = [];
      for (let i = 0; i < 5; i++) others.push(await createOrganization(app));
      for (const [i, other] of others.entries()) {
        for (let j = 0; j < 10; j++) {
          await login(other.username, 'wrong password', app, `2001:db8:9:9::${i}${j}`).expect(401);
        }
      }
      await login(username, password, app, '2001:db8:9:9::ffff').expect(429);
      await login(username, password, app, '2001:db8:9:a::1').expect(200);
    });

    it('does not count concurrent right passwords', async () => {
      const { username, password } = await createOrganization(app);
      const logins = await Promise.all(Array.from({ length: 11 }, () => login(username, password)));
      expect(logins.map(({ status }) => status)).toEqual(Array(11).fill(200));
    });
  });

  describe('tokens', () => {
    const open = async () => {
      const made = await createOrganization(app);
      const { body } = await login(made.username, made.password).expect(200);
      const path = made.consolePath;
      const read = () => consoleApi(app, body.token).get(path);
      await read().expect(200);
      return { ...made, read, by: await callerOf(app, made.organizationId) };
    };

    it('end with the user', async () => {
      const { by, read, userId, username, password } = await open();
      await app
        .get(UsersService)
        .create(by, { username: `other-${userId}`, password: 'a password', role: 'ADMIN' });
      await app.get(UsersService).remove(by, userId);
      await read().expect(401);
      await login(username, password).expect(401);
    });

    it('end with the password', async () => {
      const { by, read, userId, username, password } = await open();
      await app.get(UsersService).update(by, userId, { password: 'another password' });
      await read().expect(401);
      await login(username, password).expect(401);
      await login(username, 'another password').expect(200);
    });

    it('are not opened by a password that changes meanwhile', async () => {
      const { by, userId, username, password } = await open();
      const passwords = app.get(PasswordsService);
      const check = passwords.check.bind(passwords);
      jest.spyOn(passwords, 'check').mockImplementationOnce(async (...call) => {
        const user = await check(...call);
        await app.get(UsersService).update(by, userId, { password: 'another password' });
        return user;
      });
      const { body } = await login(username, password).expect(401);
      expect(body.code).toBe('CREDENTIALS_INVALID');
      await login(username, 'another password').expect(200);
    });

    it.each([
      ['none', undefined],
      ['another scheme', `Basic ${CONSOLE_TOKEN}`],
      ['an empty one', 'Bearer '],
      ['an unknown one', 'Bearer wp_console_unknown'],
      ['a prefix', `Bearer ${CONSOLE_TOKEN.slice(0, -1)}`],
      ['a longer one', `Bearer ${CONSOLE_TOKEN}x`],
    ])('are asked for: %s is refused', async (_, header) => {
      const call = request(app.url).get('/api/v1/console/organizations').set('Host', API_HOST);
      const { body } = await (header === undefined ? call : call.set('Authorization', header)).expect(401);
      expect(body.code).toBe('CONSOLE_TOKEN_INVALID');
    });

    it('cannot be an API key', async () => {
      const { apiKey, organizationId } = await createOrganization(app);
      await consoleApi(app, apiKey).get(`/api/v1/console/organizations/${organizationId}`).expect(401);
    });

    it('of the platform exist only when one is set', async () => {
      const without = await TestApp.start({ database: app.database, env: { CONSOLE_TOKEN: '' } });
      await consoleApi(without).get('/api/v1/console/organizations').expect(401);
      await consoleApi(without, 'undefined').get('/api/v1/console/organizations').expect(401);
      await without.close();
    });
  });
});
