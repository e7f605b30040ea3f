import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { Express, RequestHandler } from 'express';
import { registerApp } from '../support/apps';
import { createOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';

const EXAMPLE = resolve(__dirname, '../../clients/web/example-proxy.mjs');
const API = '/waypost/api/v1/cross-platform';

interface ProxyOptions {
  url: string;
  appId: number | string;
  apiKey: string;
  memberOf: () => string | undefined;
}

/** The README's proxy on a version of Express, imported as `express` like in a customer's project. */
function siteOn(version: 'express' | 'express4', options: ProxyOptions): Express {
  let site: Express | undefined;
  jest.isolateModules(() => {
    const express = jest.requireActual<() => Express>(version);
    jest.doMock('express', () => express);
    type Example = { waypostProxy: (options: ProxyOptions) => RequestHandler };
    const { waypostProxy } = jest.requireActual<Example>(EXAMPLE);
    site = express().use('/waypost', waypostProxy(options));
  });
  jest.dontMock('express');
  if (!site) throw new Error('There is no site');
  return site;
}

describe('the proxy of the Web SDK’s README', () => {
  const app = useTestApp({ env: { SHORT_URL_BASE: 'http://127.0.0.1' } });
  let appId: number;
  let apiKey: string;

  beforeAll(async () => {
    const registered = await registerApp(await createOrganization(app), {
      platform: 'Web',
      bundleId: 'shop.example',
    });
    appId = registered.id;
    ({ apiKey } = registered as unknown as { apiKey: string });
  });

  it.each([
    ['express4', '4.'],
    ['express', '5.'],
  ])('runs with %s, whose version is %s', (name, begin) => {
    expect(jest.requireActual<{ version: string }>(`${name}/package.json`).version.startsWith(begin)).toBe(
      true,
    );
  });

  describe.each(['express4', 'express'] as const)('on %s', (version) => {
    const sites: Server[] = [];
    let origin: string;

    async function open(options: Partial<ProxyOptions> = {}): Promise<string> {
      const site = siteOn(version, { url: app.url, appId, apiKey, memberOf: () => 'm1', ...options });
      // Keeps Express from printing caught errors.
      site.set('env', 'test');
      const server = await new Promise<Server>((done) => {
        const listening = site.listen(0, '127.0.0.1', () => done(listening));
      });
      sites.push(server);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }
    async function send(path: string, body?: object, to = origin) {
      const answer = await fetch(to + API + path, {
        method: body ? 'POST' : 'GET',
        headers: { 'Content-Type': 'application/json' },
        body: body && JSON.stringify(body),
      });
      return { status: answer.status, body: JSON.parse((await answer.text()) || 'null') };
    }

    beforeAll(async () => {
      origin = await open();
    });
    afterAll(() => {
      for (const site of sites) {
        site.closeAllConnections();
        site.close();
      }
    });

    it('forwards calls, with and without a body', async () => {
      const created = await send(`/session/create?appId=${appId}`, { platform: 'WEB' });
      expect(created).toMatchObject({ status: 201, body: { appId } });
      const read = await send(`/session/${created.body.sessionId}?appId=${appId}`);
      expect(read).toMatchObject({ status: 200, body: { sessionId: created.body.sessionId } });
      expect(await send('/identify', { externalUserId: 'm1' })).toMatchObject({
        status: 200,
        body: { success: true, action: expect.any(String) },
      });
      const lost = '/session/0191d0a8-6f0e-7cc2-a3a4-5a4cf5b0c1de';
      expect(await send(lost)).toMatchObject({ status: 404, body: { message: 'Session not found' } });
    });

    it.each([
      ['another app', '/session/create?appId=1&appId=2', { platform: 'WEB' }, 409, 'WRONG_APP'],
      ['another app', '/session/create?appId=999', { platform: 'WEB' }, 409, 'WRONG_APP'],
      ['another member', '/identify', { externalUserId: 'm2' }, 403, 'NOT_THE_MEMBER'],
      ['another call', '/session/transition', {}, 404, 'NO_SUCH_CALL'],
      ['another call', '/session/create/', undefined, 404, 'NO_SUCH_CALL'],
      ['another call', '/identify/x', undefined, 404, 'NO_SUCH_CALL'],
    ])('refuses %s in JSON, and names its app: %s', async (_what, path, body, status, code) => {
      const answer = await send(path, body);
      expect(answer).toEqual({ status, body: { status, code, message: expect.any(String), appId } });
    });

    it('accepts its app id as a string', async () => {
      const site = await open({ appId: String(appId) });
      expect((await send(`/session/create?appId=${appId}`, { platform: 'WEB' }, site)).status).toBe(201);
      const { body } = await send('/session/create?appId=999', { platform: 'WEB' }, site);
      expect(body.appId).toBe(appId);
    });

    it('survives an unreachable service', async () => {
      const site = await open({ url: 'http://127.0.0.1:1' });
      for (let i = 0; i < 2; i++) {
        const answer = await fetch(`${site}${API}/session/create`, { method: 'POST' });
        expect(answer.status).toBe(500);
      }
    });
  });
});
