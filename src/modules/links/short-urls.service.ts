import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { Page } from '../../common/pagination/page';
import { ClickTotalsQuery } from '../click-statistics/click-totals.query';
import { TargetPlaces } from '../tracked-links/tracked-link-places';
import type { Link } from './link.entity';
import { LinkListQuery } from './link-list.query';
import type { ListLinksQuery } from './links.dto';
import { LinksRepository } from './links.repository';
import { type ShortUrlResponse, toShortUrlResponse } from './short-url.dto';

/** Links as the API shows them, with what other modules know of them: clicks and addresses. */
@Injectable()
export class ShortUrlsService {
  constructor(
    private readonly links: LinksRepository,
    private readonly listQuery: LinkListQuery,
    private readonly clicks: ClickTotalsQuery,
    private readonly places: TargetPlaces,
  ) {}

  /** @throws NotFound */
  async get({ organizationId }: Caller, id: number): Promise<ShortUrlResponse> {
    const link = await this.links.get(organizationId, id);
    return this.toResponse(link, link.clickCount);
  }

  async list({ organizationId }: Caller, query: ListLinksQuery): Promise<Page<ShortUrlResponse>> {
    const { links, total } = await this.listQuery.run(organizationId, query);
    const placeOf = await this.places.findMany(organizationId, links);
    const content = links.map((link) =>
      toShortUrlResponse(link, { ...placeOf(link), clickCount: link.clickCount }),
    );
    return Page.of(content, total, query);
  }

  /** A link that was changed just now. */
  async ofChanged(link: Link): Promise<ShortUrlResponse> {
    const totals = await this.clicks.run('link', link.organizationId, [link.id]);
    return this.toResponse(link, totals.get(link.id) ?? 0);
  }

  /** A link that was made just now: nobody can have clicked it. */
  ofNew(link: Link): Promise<ShortUrlResponse> {
    return this.toResponse(link, 0);
  }

  /** Links that were made just now, of one organization; errors in between stay where they are. */
  async ofNewMany<E extends Error>(
    { organizationId }: Caller,
    made: readonly (Link | E)[],
  ): Promise<(ShortUrlResponse | E)[]> {
    const links = made.filter((each): each is Link => !(each instanceof Error));
    const placeOf = await this.places.findMany(organizationId, links);
    return made.map((each) =>
      each instanceof Error ? each : toShortUrlResponse(each, { ...placeOf(each), clickCount: 0 }),
    );
  }

  private async toResponse(link: Link, clickCount: number): Promise<ShortUrlResponse> {
    return toShortUrlResponse(link, { ...(await this.places.find(link)), clickCount });
  }
}
