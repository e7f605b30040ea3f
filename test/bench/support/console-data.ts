import { ADD_ONS, PERMISSIONS } from '../../../src/access/caller';
import type { DataSource } from 'typeorm';
import { makeApiKey } from './api-key';
import {
  buildClickSums,
  type ClickVolume,
  loadOrganizationClicks,
  loadTaggedLinks,
} from './organization-clicks';
import { loadLinks } from './stores';

const BATCH = 1_000;
/** Contacts of which one has opted out. */
const OPTED_OUT_OF = 20;

/** Loads an organization with links, campaigns, apps, domains and clicks. @returns its id */
export async function loadClickedLinks(database: DataSource, volume: ClickVolume): Promise<number> {
  await database.query('SET statement_timeout = 0');
  const organizationId = await loadLinks(database, 0);
  await loadTaggedLinks(database, organizationId, volume.links);
  await loadOrganizationClicks(database, organizationId, volume);
  await database.query(TOTALS, [organizationId]);
  await buildClickSums(database, volume.days);
  await database.query(
    `INSERT INTO add_ons (organization_id, code, created_at) SELECT $1, unnest($2::text[]), now()`,
    [organizationId, ADD_ONS],
  );
  await database.query(
    `INSERT INTO ip_allow_list (organization_id, cidr, created_at) VALUES ($1, '127.0.0.0/8', now())`,
    [organizationId],
  );
  await database.query('VACUUM ANALYZE');
  return organizationId;
}

/** What the service itself has to make: contacts, opt-outs, a segment, a webhook endpoint and a user. */
export class ConsoleOrganization {
  constructor(
    private readonly url: string,
    private readonly consoleToken: string,
    private readonly organizationId: number,
  ) {}

  async fill(database: DataSource, contacts: number): Promise<void> {
    const apiKey = await makeApiKey(database, this.organizationId, PERMISSIONS);
    const headers = { 'X-API-KEY': apiKey };
    const service = (path: string, body: object) =>
      post(`${this.url}/api/v1/service/messaging${path}`, headers, body);
    for (let first = 0; first < contacts; first += BATCH) {
      const items = Array.from({ length: Math.min(BATCH, contacts - first) }, (_, i) => contact(first + i));
      await service('/contacts/bulk', items);
    }
    for (let first = 0; first < contacts; first += BATCH * OPTED_OUT_OF) {
      const count = Math.min(BATCH, Math.ceil((contacts - first) / OPTED_OUT_OF));
      const items = Array.from({ length: count }, (_, i) => ({ value: phoneOf(first + i * OPTED_OUT_OF) }));
      await service('/unsubscribes/bulk', { channel: 'SMS', items });
    }
    const condition = { propKey: 'custom.grade', propOp: 'EQ', propValue: 'gold' };
    const segment = { name: 'Gold', conditionGroups: [{ conditions: [condition] }] };
    const { id } = (await this.post('/segments', segment)) as { id: number };
    await this.post(`/segments/${id}/evaluate`, {});
    await this.post('/webhooks', { url: 'https://hooks.example.com/bench', events: ['goal.completed'] });
    await database.query('VACUUM ANALYZE');
  }

  /** Makes an administrator, and signs them in. @returns the session's cookie as `name=value` */
  async signIn(): Promise<string> {
    const user = { username: 'bench-admin', password: 'a password of the benchmark' };
    await this.post('/users', { ...user, role: 'ADMIN', permissions: PERMISSIONS });
    const response = await fetch(`${this.url}/api/v1/console/sessions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: this.url },
      body: JSON.stringify(user),
    });
    const [cookie = ''] = response.headers.getSetCookie();
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return cookie.replace(/;.*/, '');
  }

  private post(path: string, body: object): Promise<unknown> {
    const headers = { Authorization: `Bearer ${this.consoleToken}` };
    return post(`${this.url}/api/v1/console/organizations/${this.organizationId}${path}`, headers, body);
  }
}

async function post(url: string, headers: Record<string, string>, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

const phoneOf = (n: number) => `+8210${String(20_000_000 + n)}`;

function contact(n: number): object {
  return {
    externalUserId: `member-${n}`,
    name: `Member ${n}`,
    phoneNumber: phoneOf(n),
    email: `member.${n}@company-${n % 100}.example`,
    smsOptIn: n % 2 === 0,
    tags: ['vip'],
    customFields: { grade: n % 3 === 0 ? 'gold' : 'silver', visits: String(n % 200) },
  };
}

/** What counting adds to the totals of links and campaigns. */
const TOTALS = `
  INSERT INTO click_totals (organization_id, tracked_link_id, kind, slot, clicks, bot_clicks)
  SELECT organization_id, tracked_link_id, kind, 0, count(*) FILTER (WHERE NOT is_bot), count(*) FILTER (WHERE is_bot)
    FROM clicks WHERE organization_id = $1 GROUP BY organization_id, tracked_link_id, kind`;
