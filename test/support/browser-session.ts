import request, { type Test } from 'supertest';
import { API_HOST, type TestApp } from './test-app';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Sends requests like a browser on a page of the service, with cookies and Origin. */
export class BrowserSession {
  private readonly cookies = new Map<string, string>();
  private ip = '198.51.100.200';

  constructor(
    private readonly app: TestApp,
    readonly origin: string = `http://${API_HOST}`,
  ) {}

  from(ip: string): this {
    this.ip = ip;
    return this;
  }

  /** The value of a cookie; undefined without one. */
  cookie(name: string): string | undefined {
    return this.cookies.get(name);
  }

  /** Sends a request and stores the cookies of the response. @param headers override the browser's */
  async send(method: Method, path: string, body?: object, headers: Record<string, string> = {}) {
    const test = this.prepare(method, path, headers);
    const answer = await (body ? test.send(body) : test);
    this.store(([] as string[]).concat((answer.headers['set-cookie'] as string[] | undefined) ?? []));
    return answer;
  }

  private prepare(method: Method, path: string, headers: Record<string, string>): Test {
    const test = request(this.app.url)[method](path).redirects(0);
    void test.set({ Host: new URL(this.origin).host, 'X-Forwarded-For': this.ip });
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (cookies) void test.set('Cookie', cookies);
    if (method !== 'get') void test.set('Origin', this.origin);
    return test.set(headers);
  }

  private store(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(/; */);
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const ended = attributes.some((each) => /^expires=Thu, 01 Jan 1970/i.test(each));
      if (ended) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}
