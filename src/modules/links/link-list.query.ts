import { Injectable } from '@nestjs/common';
import { TrackedLinkFilter, TrackedLinkListQuery } from '../tracked-links/list/tracked-link-list.query';
import { type Search, TrackedLinkSearch } from '../tracked-links/list/tracked-link-search';
import { tagKey } from './link-drafts';
import type { ExportLinksQuery, ListLinksQuery } from './links.dto';
import { type CountedLink, LinksRepository } from './links.repository';

/** Folds case like `links.search_text`: ASCII only. */
const foldAscii = (text: string) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** A page of an organization's links, and their total. */
@Injectable()
export class LinkListQuery {
  constructor(
    private readonly lists: TrackedLinkListQuery,
    private readonly links: LinksRepository,
    private readonly searches: TrackedLinkSearch,
  ) {}

  async run(organizationId: number, query: ListLinksQuery): Promise<{ links: CountedLink[]; total: number }> {
    const filter = filterOf(organizationId, query, await this.searchOf(organizationId, query));
    const { trackedLinks, total } = await this.lists.run(this.links, filter, query);
    return { links: trackedLinks, total };
  }

  searchOf(organizationId: number, { keyword }: ExportLinksQuery): Promise<Search | null> {
    return this.searches.of('link', organizationId, keyword, foldAscii);
  }
}

/** @param search the query's keyword, as returned by `searchOf` */
export function filterOf(
  organizationId: number,
  query: ExportLinksQuery,
  search: Search | null,
): TrackedLinkFilter {
  const filter = new TrackedLinkFilter(organizationId, query, search);
  filter.addHealth('link', query.health);
  if (query.showAdPage) filter.addPlain('show_ad_page');
  if (query.tag) {
    // The partial index excludes links without tags.
    filter.addPlain(`tag_keys <> '{}'`);
    filter.add((placeholder) => `tag_keys @> ARRAY[${placeholder}]`, tagKey(query.tag));
  }
  return filter;
}
