import { Injectable } from '@nestjs/common';
import type { Tx } from '../../infrastructure/database/tx';
import { TrackedLinkEvents, type TrackedLinkView } from '../tracked-links/tracked-link-events';
import { TrackedLinkPlaces } from '../tracked-links/tracked-link-places';
import type { Link } from './link.entity';
import { type CountedLink, LinksRepository } from './links.repository';
import { type ShortUrlResponse, toShortUrlResponse } from './short-url.dto';

/** Links in webhooks, in the form of API responses. */
@Injectable()
export class LinkEvents implements TrackedLinkView<Link> {
  constructor(
    readonly rows: LinksRepository,
    private readonly places: TrackedLinkPlaces,
    events: TrackedLinkEvents,
  ) {
    events.register(this);
  }

  async show(_tx: Tx, organizationId: number, links: readonly CountedLink[]): Promise<ShortUrlResponse[]> {
    const placeOf = await this.places.findMany(organizationId, links);
    return links.map((link) =>
      toShortUrlResponse(link, { ...placeOf(link), clickCount: link.clickCount, health: link.health }),
    );
  }
}
