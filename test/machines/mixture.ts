import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { call, type Customer, type TestLink } from '../faults/customer';
import { ADD_ONS } from '../../src/access/caller';
import { PLAY_STORE } from '../support/apps';
import { CHROME, IPHONE } from '../support/visits';

const PASSWORD = 'a password of the mixture';
const SDK = '/api/v1/cross-platform/session';
const MATCH = '/api/v1/sdk/mobile/deeplink/match';
const KEPT_LINKS = 50;

interface App {
  id: number;
  apiKey: string;
}

type Answered = Promise<{ status: number }>;

/** Calls of every kind at a constant rate, beside visits. Every status but those expected is a failure. */
export class Mixture {
  /** Answers by kind of call. */
  readonly answered: Record<string, number> = {};
  readonly failures: string[] = [];
  private readonly links: TestLink[] = [];
  private readonly running: Promise<void>[];
  private stopping = false;
  private session = randomUUID();

  private constructor(
    private readonly customer: Customer,
    private readonly url: string,
    private readonly app: App,
    private readonly appLink: TestLink,
    private readonly username: string,
    pauseMs: number,
  ) {
    const calls: Record<string, (n: number) => Answered> = {
      'unknown code': (n) => this.visit(`/unknown${n}`, 404),
      'link created': () => this.createLink(),
      'link changed': (n) => this.changeLink(n),
      'session created': () => this.createSession(),
      event: (n) => this.sdk('/event', { sessionId: this.session, eventType: `event_${n % 20}` }),
      token: () => this.token(),
      contact: (n) => this.service('POST', '/messaging/contacts', { externalUserId: `member-${n % 500}` }),
      statistics: () => this.service('GET', `/urls/${appLink.id}/stats`),
      list: () => this.service('GET', '/urls?size=20'),
      'sign-in': () => this.signIn(),
    };
    this.running = Object.entries(calls).map(([kind, send]) => this.repeat(kind, pauseMs, send));
  }

  /** @param pauseMs between calls of one kind */
  static async start(customer: Customer, url: string, pauseMs: number): Promise<Mixture> {
    for (const code of ADD_ONS) await made(customer.console(url, 'PUT', `/add-ons/${code}`, {}));
    await made(customer.console(url, 'POST', '/ip-allow-list', { cidr: '127.0.0.0/8' }));
    const app = await made(
      customer.service<App>(url, 'POST', '/mobile-apps', {
        platform: 'Android',
        appName: 'Shop',
        bundleId: 'com.example.shop',
        scheme: 'exampleshop://',
        storeUrl: PLAY_STORE,
      }),
    );
    const link = await customer.createLink(url, { androidAppId: app.id, androidDeepLinkPath: '/p/42' });
    const username = `mixture-${customer.organizationId}`;
    await made(
      customer.console(url, 'POST', '/users', {
        username,
        password: PASSWORD,
        role: 'ADMIN',
        permissions: [],
      }),
    );
    return new Mixture(customer, url, app, link, username, pauseMs);
  }

  /** Stops, and resolves when calls in flight have ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.running);
  }

  /** A function, because TypeScript's control flow would narrow the field to false inside the loop. */
  private stopped(): boolean {
    return this.stopping;
  }

  private async repeat(kind: string, pauseMs: number, send: (n: number) => Answered): Promise<void> {
    this.answered[kind] = 0;
    for (let n = 0; !this.stopped(); n++) {
      const outcome = await send(n).then(
        ({ status }) => status,
        (error: unknown) => (error instanceof Error ? `${error.message} ${String(error.cause)}` : 'failed'),
      );
      if (typeof outcome === 'number' && outcome < 400) this.answered[kind]++;
      else this.failures.push(`${kind}: ${outcome}`);
      await delay(pauseMs);
    }
  }

  private service(method: string, path: string, body?: object): Answered {
    return this.customer.service(this.url, method, path, body);
  }

  private sdk(path: string, body: object): Answered {
    const headers = { 'X-App-ID': String(this.app.id), 'X-Mobile-App-API-Key': this.app.apiKey };
    return call(`${this.url}${SDK}${path}`, 'POST', headers, body);
  }

  private async createLink(): Answered {
    const link = await this.customer.createLink(this.url);
    this.links.push(link);
    const oldest = this.links.length > KEPT_LINKS ? this.links.shift() : undefined;
    return oldest ? this.service('DELETE', `/urls/${oldest.id}`) : { status: 201 };
  }

  private changeLink(n: number): Answered {
    const fields = { originalUrl: `https://shop.example.com/${n}` };
    return this.service('PUT', `/urls/${this.appLink.id}`, fields);
  }

  private createSession(): Answered {
    this.session = randomUUID();
    return this.sdk('/create', { platform: 'WEB', sessionId: this.session });
  }

  private signIn(): Answered {
    return call(
      `${this.url}/api/v1/console/login`,
      'POST',
      {},
      { username: this.username, password: PASSWORD },
    );
  }

  /** Opens the page of the app, and matches its token. */
  private async token(): Answered {
    const page = await this.get(`/${this.appLink.code}`, ANDROID);
    const token = /waypost_token=([\w-]+)/.exec(await page.text())?.[1];
    if (!token) return { status: page.status === 200 ? 500 : page.status };
    const headers = { 'X-App-ID': String(this.app.id), 'X-Mobile-App-API-Key': this.app.apiKey };
    return call(`${this.url}${MATCH}?token=${token}`, 'GET', { ...headers, 'User-Agent': IPHONE });
  }

  private async visit(path: string, expected: number): Answered {
    const answer = await this.get(path, CHROME);
    await answer.arrayBuffer();
    return { status: answer.status === expected ? 200 : answer.status };
  }

  private get(path: string, userAgent: string): Promise<Response> {
    const url = `http://localhost:${new URL(this.url).port}${path}`;
    return fetch(url, { redirect: 'manual', headers: { 'User-Agent': userAgent } });
  }
}

const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

async function made<T>(answer: Promise<{ status: number; body: T }>): Promise<T> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}
