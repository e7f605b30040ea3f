import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { Caller } from '../../../access/caller';
import { NotFound, ValidationFailed } from '../../../common/errors/errors';
import { LiveClicks } from '../../click-statistics/live/live-clicks';
import { LiveFeeds } from '../../click-statistics/live/live-feeds';
import { type LiveFilter, LiveListener } from '../../click-statistics/live/live-listener';
import { readLiveCursor } from '../../click-statistics/live/live-place';
import { OwnedTrackedLinks } from '../owned-links';
import { TooManyListeners } from '../analytics.errors';
import type { LiveClicksQuery } from './live-clicks.dto';

const MAX_LISTENERS = 20;
const BEAT_MS = 15_000;
/** Clients connect again after this time, which checks their access again. */
const LONGEST_MS = 300_000;

/** Streams of clicks as they are counted (docs/concepts/clicks.md#live). */
@Injectable()
export class LiveClicksService {
  /** Open streams by user. */
  private readonly open = new Map<string, number>();

  constructor(
    private readonly live: LiveClicks,
    private readonly feeds: LiveFeeds,
    private readonly links: OwnedTrackedLinks,
  ) {}

  /**
   * Resolves when the stream has ended.
   * @throws ValidationFailed, InvalidCursor, NotFound, TooManyListeners before anything is sent
   */
  async stream(
    caller: Caller,
    query: LiveClicksQuery,
    lastEventId: string | undefined,
    response: ServerResponse,
  ): Promise<void> {
    const user = userOf(caller);
    const count = this.open.get(user) ?? 0;
    if (count >= MAX_LISTENERS) throw new TooManyListeners(MAX_LISTENERS);
    this.open.set(user, count + 1);
    try {
      const listener = await this.listenerOf(caller, query, lastEventId, response);
      // HEAD asks for the headers alone.
      if (response.req.method === 'HEAD') listener.end();
      else await this.listen(listener, response);
    } finally {
      const left = (this.open.get(user) ?? 1) - 1;
      if (left > 0) this.open.set(user, left);
      else this.open.delete(user);
    }
  }

  private async listenerOf(
    { organizationId }: Caller,
    query: LiveClicksQuery,
    lastEventId: string | undefined,
    response: ServerResponse,
  ): Promise<LiveListener> {
    const link = linkOf(query);
    if (link) await this.links.check(organizationId, link.kind, link.id);
    const cursor = lastEventId || query.lastEventId;
    const last = cursor ? readLiveCursor(cursor) : null;
    const startedAt = (await this.feeds.keep([organizationId])).get(organizationId);
    if (startedAt === undefined) throw new NotFound('Organization');
    const isKept = last !== null && (await this.feeds.has(startedAt, last));
    const listener = new LiveListener({ organizationId, bots: query.bots, link }, response, startedAt);
    listener.isReset = last !== null && !isKept;
    listener.place = isKept ? last.place : null;
    return listener;
  }

  private async listen(listener: LiveListener, response: ServerResponse): Promise<void> {
    const beats = setInterval(() => listener.beat(), BEAT_MS);
    const longest = setTimeout(() => this.live.end(listener), LONGEST_MS);
    try {
      if (response.destroyed) return;
      const closed = new Promise((resolve) => response.once('close', resolve));
      this.live.add(listener);
      await closed;
    } finally {
      clearInterval(beats);
      clearTimeout(longest);
      this.live.remove(listener);
    }
  }
}

function linkOf({ urlId, campaignId }: LiveClicksQuery): LiveFilter['link'] {
  if (urlId && campaignId) throw ValidationFailed.field('urlId', 'must not be combined with campaignId');
  if (urlId) return { kind: 'link', id: urlId };
  return campaignId ? { kind: 'campaign', id: campaignId } : null;
}

/** Whose streams are counted together: those of a user, whatever the key, or of the platform in an organization. */
function userOf({ userId, actor, organizationId }: Caller): string {
  return userId === null ? `${actor.type} ${organizationId}` : String(userId);
}
