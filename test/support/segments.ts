import { type ApiClient, consoleApi, type TestOrganization } from './factories';
import type { TestApp } from './test-app';

export interface Given {
  propKey: string;
  propOp: string;
  propValue?: unknown;
  compareKey?: string | null;
}

export const groups = (...conditions: Given[]) => [{ conditions }];
export const GOLD = groups({ propKey: 'custom.grade', propOp: 'EQ', propValue: 'gold' });

/** Client for the console's segments of an organization. */
export class SegmentConsole {
  private readonly platform: ApiClient;

  constructor(
    private readonly app: TestApp,
    private readonly organization: TestOrganization,
  ) {
    this.platform = consoleApi(app);
  }

  get path(): string {
    return `${this.organization.consolePath}/segments`;
  }

  post(body: object) {
    return this.platform.post(this.path, body);
  }

  async make(conditionGroups: object, more: object = {}) {
    return (await this.post({ name: 'Some', conditionGroups, ...more }).expect(201)).body;
  }

  async evaluate(id: number) {
    return (await this.platform.post(`${this.path}/${id}/evaluate`).expect(200)).body;
  }

  /** Member ids of the contacts that meet the conditions. */
  async members(...conditions: Given[]): Promise<string[]> {
    const { id } = await this.make(groups(...conditions));
    const { memberCount } = await this.evaluate(id);
    const found = await this.membersOf(id);
    expect(memberCount).toBe(found.length);
    return found;
  }

  async membersOf(id: number): Promise<string[]> {
    const rows = await this.app.sql<{ member: string }>(
      `SELECT c.external_user_id AS member FROM segment_members AS m
         JOIN contacts AS c ON c.organization_id = m.organization_id AND c.id = m.contact_id
        WHERE m.organization_id = $1 AND m.segment_id = $2 ORDER BY 1`,
      [this.organization.organizationId, id],
    );
    return rows.map(({ member }) => member);
  }
}
