import { Injectable } from '@nestjs/common';
import { TargetFilter, TargetListQuery } from '../targets/target-list.query';
import type { ListLinksQuery } from './links.dto';
import { type CountedLink, LinksRepository } from './links.repository';

/** One page of an organization's links, newest first, and how many there are in all. */
@Injectable()
export class LinkListQuery {
  constructor(
    private readonly lists: TargetListQuery,
    private readonly links: LinksRepository,
  ) {}

  async run(organizationId: number, query: ListLinksQuery): Promise<{ links: CountedLink[]; total: number }> {
    const filter = new TargetFilter(organizationId, query, query.keyword);
    if (query.showAdPage) filter.addPlain('show_ad_page');
    const { targets, total } = await this.lists.run(this.links, filter, query);
    return { links: targets, total };
  }
}
