import { toClickResponse } from '../click-log/click-log.dto';
import type { LoggedClick } from '../click-log/click-log.query';
import { TRACKED_LINK_KIND } from '../../clicks/click';
import type { LivePage } from './live-batches.query';
import type { LiveFilter, LiveListener } from './live-listener';
import { cursorOf } from './feed-position';

/** Serialized events of a page, shared by listeners with the same filter. */
export class LiveEvents {
  private readonly texts = new Map<string, Buffer>();

  constructor(private readonly page: LivePage) {}

  for({ filter, startedAt }: LiveListener): Buffer {
    const name = `${filter.organizationId} ${startedAt} ${filter.bots} ${filter.link?.kind} ${filter.link?.id}`;
    const known = this.texts.get(name);
    if (known) return known;
    const text = Buffer.from(this.write(filter, startedAt));
    this.texts.set(name, text);
    return text;
  }

  private write(filter: LiveFilter, startedAt: number): string {
    let text = '';
    for (const { organizationId, clicks, next } of this.page.batches) {
      const shown =
        organizationId === filter.organizationId ? clicks.filter((click) => shows(filter, click)) : [];
      if (shown.length === 0) continue;
      const id = cursorOf({ startedAt, position: next });
      text += `event: clicks\nid: ${id}\ndata: ${JSON.stringify(shown.map(toClickResponse))}\n\n`;
    }
    return text;
  }
}

function shows({ bots, link }: LiveFilter, { isBot, kind, trackedLinkId }: LoggedClick): boolean {
  if (bots !== 'include' && isBot !== (bots === 'only')) return false;
  return link === null || (link.id === trackedLinkId && TRACKED_LINK_KIND[link.kind] === kind);
}
