import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { Caller } from '../../../access/caller';
import { ConcurrentUses } from '../../../access/limits/concurrent-uses';
import { NotFound, ValidationFailed } from '../../../common/errors/errors';
import { LiveClicks } from '../../click-statistics/live/live-clicks';
import { LiveFeeds } from '../../click-statistics/live/live-feeds';
import { type LiveFilter, LiveListener } from '../../click-statistics/live/live-listener';
import { readLiveCursor } from '../../click-statistics/live/feed-position';
import { OwnedTrackedLinks } from '../owned-links';
import type { LiveClicksQuery } from './live-clicks.dto';

const BEAT_MS = 15_000;
/** Streams end after this time; clients reconnect, and their access is checked again. */
const LONGEST_MS = 300_000;

/** Streams of clicks as they are counted (docs/concepts/clicks.md#live). */
@Injectable()
export class LiveClicksService {
  constructor(
    private readonly live: LiveClicks,
    private readonly feeds: LiveFeeds,
    private readonly links: OwnedTrackedLinks,
    private readonly uses: ConcurrentUses,
  ) {}

  /**
   * Resolves when the stream has ended.
   * @throws ValidationFailed, InvalidCursor, NotFound, LimitReached before anything is sent
   */
  async stream(
    caller: Caller,
    query: LiveClicksQuery,
    lastEventId: string | undefined,
    response: ServerResponse,
  ): Promise<void> {
    const { organizationId, organization } = caller;
    await this.uses.during('listeners', organizationId, organization.limits.liveListeners, async () => {
      const listener = await this.listenerOf(caller, query, lastEventId, response);
      if (response.req.method === 'HEAD') listener.end();
      else await this.listen(listener, response);
    });
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
    listener.position = isKept ? last.position : null;
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
