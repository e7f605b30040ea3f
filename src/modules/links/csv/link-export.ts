import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { writeCsv } from '../../../common/csv';
import type { TrackedLinkFilter } from '../../tracked-links/list/tracked-link-list.query';
import { TrackedLinkPlaces } from '../../tracked-links/tracked-link-places';
import { cellsOf, EXPORT_HEADER } from './link-columns';
import { filterOf, LinkListQuery } from '../link-list.query';
import type { ExportLinksQuery } from '../links.dto';
import { type CountedLink, LinksRepository } from '../links.repository';
import { toShortUrlResponse } from '../short-url.dto';
import { Database } from '../../../infrastructure/database/database';

const BATCH = 500;

/** Cursor of the next batch: text, because a JavaScript date has no microseconds. */
type ExportedLink = CountedLink & { createdAtText: string };

/**
 * An organization's links as CSV, newest first. Keyset pagination keeps one batch in memory and holds no connection
 * while a slow client reads.
 */
@Injectable()
export class LinkExport {
  constructor(
    private readonly database: Database,
    private readonly links: LinksRepository,
    private readonly lists: LinkListQuery,
    private readonly places: TrackedLinkPlaces,
  ) {}

  async *run({ organizationId }: Caller, query: ExportLinksQuery): AsyncGenerator<string> {
    const search = await this.lists.searchOf(organizationId, query);
    let batch = await this.read(filterOf(organizationId, query, search));
    yield writeCsv([EXPORT_HEADER]);
    for (;;) {
      const placeOf = await this.places.findMany(organizationId, batch);
      const rows = batch.map((link) => {
        const response = toShortUrlResponse(link, { ...placeOf(link), clickCount: link.clickCount });
        return cellsOf({ link, response });
      });
      if (rows.length > 0) yield writeCsv(rows);
      const last = batch.at(-1);
      if (!last || batch.length < BATCH) return;
      const filter = filterOf(organizationId, query, search);
      filter.add(
        (placeholder) => `(created_at, id) < (${placeholder}::timestamptz, ${last.id})`,
        last.createdAtText,
      );
      batch = await this.read(filter);
    }
  }

  private read({ sql, parameters }: TrackedLinkFilter): Promise<ExportedLink[]> {
    return this.database.read<ExportedLink>(
      `SELECT ${this.links.countedColumns}, links.created_at::text AS "createdAtText"
         FROM links WHERE ${sql} ORDER BY created_at DESC, id DESC LIMIT ${BATCH}`,
      parameters,
    );
  }
}
