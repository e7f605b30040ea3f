import type { TestOrganization } from './factories';

export const UNSUBSCRIBES = '/api/v1/service/messaging/unsubscribes';

/** The nth valid Korean mobile number, of 100 million. */
export function phone(n: number): string {
  return `+8210${String(20_000_000 + n).padStart(8, '0')}`;
}

export interface FeedAnswer {
  channel: string;
  items: Record<string, unknown>[];
  nextCursor: string;
  hasMore: boolean;
}

/** Client for the unsubscribe endpoints of one organization and channel. */
export class UnsubscribeClient {
  constructor(
    private readonly organization: TestOrganization,
    readonly channel = 'SMS',
  ) {}

  async register(value: string, more: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { channel } = this;
    const response = await this.organization.api.post(UNSUBSCRIBES, { channel, value, ...more });
    if (response.status > 201) throw new Error(`${response.status} ${response.text}`);
    return response.body;
  }

  async registerMany(values: readonly unknown[]): Promise<Record<string, unknown>> {
    const body = { channel: this.channel, items: values.map((value) => ({ value })) };
    return (await this.organization.api.post(`${UNSUBSCRIBES}/bulk`, body).expect(200)).body;
  }

  async remove(value: string): Promise<Record<string, unknown>> {
    const query = new URLSearchParams({ channel: this.channel, value });
    return (await this.organization.api.delete(`${UNSUBSCRIBES}?${query.toString()}`).expect(200)).body;
  }

  async removeMany(values: readonly string[]): Promise<Record<string, unknown>> {
    const body = { channel: this.channel, values };
    return (await this.organization.api.delete(`${UNSUBSCRIBES}/bulk`, body).expect(200)).body;
  }

  async check(value: string): Promise<boolean> {
    const query = new URLSearchParams({ channel: this.channel, value });
    const { body } = await this.organization.api.get(`${UNSUBSCRIBES}/check?${query.toString()}`).expect(200);
    return (body as { unsubscribed: boolean }).unsubscribed;
  }

  list(cursor?: string, limit?: number): Promise<FeedAnswer> {
    return this.feed('', cursor, limit);
  }

  deletions(cursor?: string, limit?: number): Promise<FeedAnswer> {
    return this.feed('/deletions', cursor, limit);
  }

  async watermark(withTotal = false): Promise<Record<string, unknown>> {
    const query = `channel=${this.channel}${withTotal ? '&withTotal=true' : ''}`;
    return (await this.organization.api.get(`${UNSUBSCRIBES}/watermark?${query}`).expect(200)).body;
  }

  private async feed(path: string, cursor?: string, limit?: number): Promise<FeedAnswer> {
    const query = new URLSearchParams({ channel: this.channel });
    if (cursor !== undefined) query.set('cursor', cursor);
    if (limit !== undefined) query.set('limit', String(limit));
    return (await this.organization.api.get(`${UNSUBSCRIBES}${path}?${query.toString()}`).expect(200)).body;
  }
}
