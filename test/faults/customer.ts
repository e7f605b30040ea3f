import { LiveStream } from '../support/live-clicks';
import { CONSOLE_TOKEN } from './service';

export interface TestLink {
  id: number;
  code: string;
}

interface Answer<T> {
  status: number;
  body: T;
}

/** Sends JSON to a process of the service and parses its response. */
export async function call<T>(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Answer<T>> {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json().catch(() => null)) as T };
}

/** An organization with an API key, created and used through the APIs of running processes. */
export class Customer {
  private constructor(
    readonly organizationId: number,
    private readonly apiKey: string,
  ) {}

  /** @param url origin of a process's API */
  static async create(url: string): Promise<Customer> {
    const console = `${url}/api/v1/console/organizations`;
    const headers = { Authorization: `Bearer ${CONSOLE_TOKEN}` };
    const make = async <T>(path: string, body: object): Promise<T> => {
      const answer = await call<T>(console + path, 'POST', headers, body);
      if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const organization = await make<{ id: number }>('', {
      name: 'Fault tests',
      serviceRatePerMinute: 1_000_000,
    });
    const path = `/${organization.id}`;
    const user = await make<{ id: number }>(`${path}/users`, {
      username: `user-${organization.id}`,
      password: 'a password of the fault tests',
      permissions: [],
    });
    const { apiKey } = await make<{ apiKey: string }>(`${path}/api-keys`, { name: 'Tests', userId: user.id });
    return new Customer(organization.id, apiKey);
  }

  /** Posts to the Service API. @throws with the response when the request is refused */
  async post<T>(url: string, path: string, body: object): Promise<T> {
    const answer = await call<T>(url + path, 'POST', { 'X-API-KEY': this.apiKey }, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async createLinks(url: string, count: number): Promise<TestLink[]> {
    return Promise.all(Array.from({ length: count }, () => this.createLink(url)));
  }

  async createLink(url: string, fields: object = {}): Promise<TestLink> {
    const answer = await this.service<{ id: number; shortUrl: string }>(url, 'POST', '/urls', {
      url: 'https://shop.example.com/spring',
      ...fields,
    });
    if (answer.status !== 201) throw new Error(`POST /urls: ${answer.status} ${JSON.stringify(answer.body)}`);
    return { id: answer.body.id, code: new URL(answer.body.shortUrl).pathname.slice(1) };
  }

  async deleteLink(url: string, { id }: TestLink): Promise<void> {
    const { status } = await this.service(url, 'DELETE', `/urls/${id}`);
    if (status >= 300) throw new Error(`DELETE /urls/${id}: ${status}`);
  }

  async changeLink(url: string, { id }: TestLink, fields: object): Promise<void> {
    const { status } = await this.service(url, 'PUT', `/urls/${id}`, fields);
    if (status !== 200) throw new Error(`PUT /urls/${id}: ${status}`);
  }

  /** Makes clicks from one IP address on the link count once per hour. */
  async deduplicate(url: string, { id }: TestLink): Promise<void> {
    const path = `${url}/api/v1/console/organizations/${this.organizationId}/links/${id}/settings`;
    const headers = { Authorization: `Bearer ${CONSOLE_TOKEN}` };
    const body = { deduplication: { enabled: true, windowMinutes: 60 } };
    const { status } = await call(path, 'PUT', headers, body);
    if (status !== 200) throw new Error(`PUT ${path}: ${status}`);
  }

  /** Sets limits of the organization, by their names in docs/concepts/access.md#plans. */
  async limit(url: string, limits: Record<string, number>): Promise<void> {
    const path = `${url}/api/v1/console/organizations/${this.organizationId}`;
    const { status } = await call(path, 'PATCH', { Authorization: `Bearer ${CONSOLE_TOKEN}` }, { limits });
    if (status !== 200) throw new Error(`PATCH ${path}: ${status}`);
  }

  /** Books messaging, and lets these addresses read contacts. */
  async useContacts(url: string, cidr: string): Promise<void> {
    for (const [method, path, body] of [
      ['PUT', '/add-ons/MESSAGING', {}],
      ['POST', '/ip-allow-list', { cidr }],
    ] as const) {
      const { status } = await this.console(url, method, path, body);
      if (status >= 300) throw new Error(`${method} ${path}: ${status}`);
    }
  }

  async addWebhook(url: string, to: string, events: readonly string[]): Promise<void> {
    const path = `${url}/api/v1/console/organizations/${this.organizationId}/webhooks`;
    const { status } = await call(
      path,
      'POST',
      { Authorization: `Bearer ${CONSOLE_TOKEN}` },
      { url: to, events },
    );
    if (status !== 201) throw new Error(`POST ${path}: ${status}`);
  }

  async clickCount(url: string, { id }: TestLink): Promise<number> {
    return (await this.service<{ clickCount: number }>(url, 'GET', `/urls/${id}`)).body.clickCount;
  }

  /** A stream of every click, of bots too, that the process counts or another. */
  listen(url: string, lastEventId?: string): Promise<LiveStream> {
    const { host } = new URL(url);
    return LiveStream.open(url, { apiKey: this.apiKey, host, query: '?bots=include', lastEventId });
  }

  /** Calls the Console API of the organization. */
  console<T>(url: string, method: string, path: string, body?: object): Promise<Answer<T>> {
    const of = `${url}/api/v1/console/organizations/${this.organizationId}`;
    return call<T>(of + path, method, { Authorization: `Bearer ${CONSOLE_TOKEN}` }, body);
  }

  /** Calls the Service API. */
  service<T>(url: string, method: string, path: string, body?: object): Promise<Answer<T>> {
    return call<T>(`${url}/api/v1/service${path}`, method, { 'X-API-KEY': this.apiKey }, body);
  }
}

/** Status of one visit to a link. */
export async function visit(url: string, { code }: TestLink, ip: string): Promise<number> {
  const { port } = new URL(url);
  const headers = { 'X-Forwarded-For': ip, 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0' };
  const answer = await fetch(`http://localhost:${port}/${code}`, { redirect: 'manual', headers });
  await answer.arrayBuffer();
  return answer.status;
}
