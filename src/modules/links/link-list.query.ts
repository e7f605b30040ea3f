import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import { TrackedLinkFilter } from '../tracked-links/list/tracked-link-filter';
import { TrackedLinkListQuery } from '../tracked-links/list/tracked-link-list.query';
import { TrackedLinkSearch } from '../tracked-links/list/tracked-link-search';
import { tagKey } from './link-drafts';
import type { ExportLinksQuery, ListLinksQuery } from './links.dto';
import { type CountedLink, LinksRepository } from './links.repository';

/** Folds case as `links.search_text` does: ASCII only. */
const foldAscii = (text: string) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Links per statement of `all`. */
const BATCH = 500;

@Injectable()
export class LinkListQuery {
  constructor(
    private readonly lists: TrackedLinkListQuery,
    private readonly links: LinksRepository,
    private readonly searches: TrackedLinkSearch,
    private readonly clock: Clock,
  ) {}

  /** A page, and the number of all matches. */
  async run(organizationId: number, query: ListLinksQuery): Promise<{ links: CountedLink[]; total: number }> {
    const filter = await this.filterOf(organizationId, query);
    const { trackedLinks, total } = await this.lists.run(this.links, filter, query);
    return { links: trackedLinks, total };
  }

  /**
   * All matches, in batches. No connection is held between batches; links deleted meanwhile are omitted, and changed
   * ones keep their position.
   */
  async *all(organizationId: number, query: ExportLinksQuery): AsyncGenerator<CountedLink[]> {
    const ids = await this.lists.ids(this.links, await this.filterOf(organizationId, query), query.sort);
    for (let from = 0; from < ids.length; from += BATCH) {
      yield await this.lists.byIds(this.links, organizationId, [...ids.subarray(from, from + BATCH)]);
    }
  }

  /** The ids of all matches, in order. */
  async ids(organizationId: number, query: ExportLinksQuery): Promise<number[]> {
    return [...(await this.lists.ids(this.links, await this.filterOf(organizationId, query), query.sort))];
  }

  private async filterOf(organizationId: number, query: ExportLinksQuery): Promise<TrackedLinkFilter> {
    const search = await this.searches.of('link', organizationId, query.keyword, foldAscii);
    const filter = new TrackedLinkFilter(
      { kind: 'link', organizationId, search, now: this.clock.date() },
      query,
    );
    await this.addSearch(filter, query.search);
    if (query.showAdPage) filter.addPlain('show_ad_page');
    if (query.tag && query.tag.length > 0) {
      // Uses the partial index, which excludes links without tags.
      filter.addPlain(`tag_keys <> '{}'`);
      filter.add((placeholder) => `tag_keys @> ${placeholder}::text[]`, query.tag.map(tagKey));
    }
    return filter;
  }

  private async addSearch(filter: TrackedLinkFilter, text: string | undefined): Promise<void> {
    const search = await this.searches.of('link', filter.organizationId, text, foldAscii);
    if (!text || !search) return;
    filter.addSearchOfAll(search, await this.searches.partOfAddress(filter.organizationId, text));
  }
}
