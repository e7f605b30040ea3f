import type { ApiClient } from './factories';
import { consoleApi, type TestOrganization } from './factories';
import type { TestApp } from './test-app';

export interface Domain {
  id: number;
  domainName: string;
  status: string;
  cnameRecordName: string;
  cnameRecordValue: string;
  [field: string]: unknown;
}

/** Client for the console's custom domains of one organization. */
export class DomainConsole {
  private readonly console: ApiClient;

  constructor(
    app: TestApp,
    private readonly organization: TestOrganization,
    token?: string,
  ) {
    this.console = consoleApi(app, token);
  }

  get path(): string {
    return `${this.organization.consolePath}/custom-domains`;
  }

  list() {
    return this.console.get(this.path);
  }

  add(domainName: unknown) {
    return this.console.post(this.path, { domainName });
  }

  update(id: number, urls: object) {
    return this.console.patch(`${this.path}/${id}`, urls);
  }

  act(id: number, action: 'verify' | 'revoke' | 'request-deletion') {
    return this.console.post(`${this.path}/${id}/${action}`);
  }

  remove(id: number, query: { force?: boolean } = {}) {
    return this.console.delete(`${this.path}/${id}`).query(query);
  }

  /** @throws if the domain is refused */
  async added(domainName: string): Promise<Domain> {
    const { body } = await this.add(domainName).expect(201);
    return body as Domain;
  }

  /** @throws if the action is refused */
  async acted(id: number, action: 'verify' | 'revoke' | 'request-deletion'): Promise<Domain> {
    const { body } = await this.act(id, action).expect(200);
    return body as Domain;
  }
}
