import request, { type Test } from 'supertest';
import type { Click } from '../../src/modules/clicks/click';
import { SHORT_HOST, type TestApp } from './test-app';

/** Chrome on Android, which tells neither model nor version. */
export const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';
export const GALAXY =
  'Mozilla/5.0 (Linux; Android 15; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
export const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

export interface VisitOptions {
  host?: string;
  ip?: string;
  userAgent?: string;
  headers?: Record<string, string>;
  method?: 'get' | 'head' | 'post' | 'put' | 'delete' | 'options';
}

/** A click for the journal, by default a person's click on a link without optional fields. */
export function plainClick<
  Given extends Pick<Click, 'id' | 'at' | 'trackedLinkId' | 'organizationId'> & Partial<Click>,
>(given: Given): Click & Given {
  return {
    kind: 'link',
    appIds: [],
    ip: '203.0.113.7',
    userAgent: CHROME,
    referrer: null,
    tracker: null,
    customId: null,
    utm: null,
    dedup: null,
    appPage: null,
    ...given,
  };
}

/** Requests a path of a short domain like a browser, without following redirects. */
export function visit(app: TestApp, path: string, options: VisitOptions = {}): Test {
  const { host = SHORT_HOST, ip = '203.0.113.7', userAgent = CHROME, headers = {}, method = 'get' } = options;
  return request(app.url)
    [method](path)
    .redirects(0)
    .ok(() => true)
    .set({ Host: host, 'X-Forwarded-For': ip, 'User-Agent': userAgent, ...headers });
}
