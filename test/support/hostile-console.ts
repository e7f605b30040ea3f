import { CONTACTS, GROUPS } from './contacts';
import { consoleApi, type TestOrganization } from './factories';
import { HOSTILE_TEXTS, RUN } from './hostile-texts';
import { SHORT_HOST, type TestApp } from './test-app';
import { CHROME, visit } from './visits';

/** Cycles through payloads, each truncated to the limit of its field. */
class Payloads {
  private at = 0;

  next(limit: number): string {
    const value = HOSTILE_TEXTS[this.at++ % HOSTILE_TEXTS.length] ?? '';
    return value.slice(0, limit).toWellFormed();
  }
}

export interface HostileData {
  /** Paths of detail pages. */
  paths: string[];
  /** Payloads that the API accepted, by field. */
  taken: Map<string, string[]>;
  /** Responses that were neither a success nor a rejection of the input. */
  faults: string[];
}

const LINK_FIELDS = {
  title: 200,
  externalId: 200,
  ogTitle: 200,
  ogDescription: 500,
  utmSource: 200,
  utmMedium: 200,
  utmTerm: 200,
  utmContent: 200,
  utmCampaign: 200,
  goalType: 50,
  iosDeepLinkPath: 1000,
};

/** Puts hostile values into every text of an organization, through the API and the redirects. */
export class HostileWriter {
  private readonly payloads = new Payloads();
  private readonly data: HostileData = { paths: [], taken: new Map(), faults: [] };
  private readonly console;

  constructor(
    private readonly app: TestApp,
    private readonly organization: TestOrganization,
  ) {
    this.console = consoleApi(app);
  }

  async write(): Promise<HostileData> {
    const links = await this.many(
      24,
      () => ({
        ...this.fields(LINK_FIELDS),
        url: 'https://shop.example.com/a',
        tags: [this.payloads.next(50), this.payloads.next(50), this.payloads.next(50)],
      }),
      (body) => this.send('link', () => this.organization.api.post('/api/v1/service/urls', body), body),
    );
    await this.click(links);
    const campaigns = await this.many(
      12,
      () => ({
        ...this.fields({ ...LINK_FIELDS, name: 50 }),
        originalUrl: 'https://shop.example.com/b',
      }),
      (body) =>
        this.send('campaign', () => this.organization.api.post('/api/v1/service/campaigns', body), body),
    );
    const contacts = await this.many(
      24,
      () => ({
        ...this.fields({ name: 100, externalUserId: 200, pushIdentify: 500 }),
        tags: [this.payloads.next(100), this.payloads.next(100)],
        customFields: { [this.payloads.next(30)]: this.payloads.next(100), grade: this.payloads.next(100) },
      }),
      (body) => this.send('contact', () => this.organization.api.post(CONTACTS, body), body),
    );
    await this.many(
      12,
      () => this.fields({ name: 100, description: 500 }),
      (body) => this.send('group', () => this.organization.api.post(GROUPS, body), body),
    );
    const segments = await this.many(
      12,
      () => ({
        ...this.fields({ name: 100, description: 500 }),
        conditionGroups: [
          { conditions: [{ propKey: 'custom.grade', propOp: 'EQ', propValue: this.payloads.next(100) }] },
        ],
      }),
      (body) => this.send('segment', () => this.console.post(this.path('/segments'), body), body),
    );
    const apps = await this.many(
      6,
      () => ({
        ...this.fields({ appName: 100 }),
        platform: 'Android',
        bundleId: `com.example.h${++this.made}`,
      }),
      (body) => this.send('app', () => this.console.post(this.path('/mobile-apps'), body), body),
    );
    const webhooks = await this.many(
      6,
      () => ({
        url: `https://hooks.example.com/?x=${encodeURI(this.payloads.next(200))}&y='"><svg/onload=${RUN}>`,
        events: ['*'],
        enabled: false,
      }),
      (body) => this.send('webhook', () => this.console.post(this.path('/webhooks'), body), body),
    );
    await this.many(
      6,
      () => ({ ...this.fields({ name: 100 }), userId: this.organization.userId }),
      (body) => this.send('key', () => this.console.post(this.path('/api-keys'), body), body),
    );
    await this.many(
      6,
      () => ({ ...this.fields({ name: 100, username: 100 }), password: 'a password of tests' }),
      (body) => this.send('user', () => this.console.post(this.path('/users'), body), body),
    );
    await this.send(
      'organization',
      () => this.console.patch(this.path(''), { name: `<img src=x onerror=${RUN}>` }),
      {},
    );
    const [link, campaign, contact, segment, app, webhook] = [
      links,
      campaigns,
      contacts,
      segments,
      apps,
      webhooks,
    ].map(([first]) => {
      if (!first) throw new Error('The API took no hostile thing of a kind');
      return first.id;
    });
    this.data.paths.push(
      ...['statistics', 'recentClicks', 'settings', 'qr'].map((tab) => `/links/${link}?tab=${tab}`),
      `/links/${link}?edit=1`,
      `/campaigns/${campaign}`,
      `/contacts/${contact}`,
      `/segments/${segment}`,
      ...['setup', 'files', 'installs'].map((tab) => `/apps/${app}?tab=${tab}`),
      `/webhooks/${webhook}`,
    );
    return this.data;
  }

  private made = 0;

  private path(below: string): string {
    return `/api/v1/console/organizations/${this.organization.organizationId}${below}`;
  }

  private fields(limits: Record<string, number>): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(limits).map(([name, limit]) => [name, this.payloads.next(limit)]),
    );
  }

  /** Sends bodies one after another, because audit entries of an organization are written in order. */
  private async many(
    count: number,
    body: () => Record<string, unknown>,
    send: (body: Record<string, unknown>) => Promise<Made | undefined>,
  ): Promise<Made[]> {
    const made: Made[] = [];
    for (let i = 0; i < count; i++) {
      const one = await send(body());
      if (one) made.push(one);
    }
    return made;
  }

  /** Sends a body without the fields that the API rejects. */
  private async send(
    kind: string,
    post: () => PromiseLike<{ status: number; body: unknown }>,
    body: Record<string, unknown>,
  ): Promise<Made | undefined> {
    for (let attempt = 0; attempt < 8; attempt++) {
      const answer = await post();
      if (answer.status < 300) {
        this.keep(kind, body);
        return answer.body as Made;
      }
      const { details = [] } = answer.body as { details?: { field: string }[] };
      const refused = new Set(details.map(({ field }) => field.split(/[.[]/)[0] ?? ''));
      if (answer.status !== 400 && answer.status !== 409) this.data.faults.push(`${kind}: ${answer.status}`);
      if (refused.size === 0) return undefined;
      for (const field of refused) {
        if (REQUIRED.has(field)) body[field] = `https://hooks.example.com/${++this.made}`;
        else Reflect.deleteProperty(body, field);
      }
    }
    return undefined;
  }

  private keep(kind: string, body: Record<string, unknown>): void {
    for (const [field, value] of Object.entries(body)) {
      const texts = [value].flat().filter((each) => typeof each === 'string');
      const key = `${kind}.${field}`;
      this.data.taken.set(key, [...(this.data.taken.get(key) ?? []), ...texts]);
    }
  }

  /** Opens a link with each payload as utm values, referrer and user agent. */
  private async click([link]: Made[]): Promise<void> {
    const path = new URL(link?.shortUrl ?? '').pathname;
    const taken: string[] = [];
    for (let i = 0; i < HOSTILE_TEXTS.length; i += 10) {
      await Promise.all(
        HOSTILE_TEXTS.slice(i, i + 10).map(async (value) => {
          const text = value.slice(0, 200);
          const query = new URLSearchParams({ utm_source: text, utm_campaign: text, utm_medium: text });
          const header = /^[\x21-\x7e][\x20-\x7e]*$/.test(text) ? text : encodeURI(text.toWellFormed());
          const { status } = await visit(this.app, `${path}?${query.toString()}`, {
            host: SHORT_HOST,
            ip: `203.0.113.${i % 250}`,
            userAgent: `${CHROME} ${header}`,
            headers: { Referer: `https://referrer.example/${header}` },
          });
          if (status >= 500) this.data.faults.push(`click: ${status} ${value}`);
          taken.push(text);
        }),
      );
    }
    this.data.taken.set('click.utmSource', taken);
  }
}

interface Made {
  id: number;
  shortUrl?: string;
}

/** Fields that get a harmless value if the API rejects the hostile one. */
const REQUIRED = new Set(['name', 'appName', 'username', 'url']);
