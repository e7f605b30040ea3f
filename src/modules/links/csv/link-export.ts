import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { writeCsv } from '../../../common/csv/write-csv';
import { TrackedLinkPlaces } from '../../tracked-links/tracked-link-places';
import { LinkListQuery } from '../link-list.query';
import type { ExportLinksQuery } from '../links.dto';
import { toShortUrlResponse } from '../short-url.dto';
import { cellsOf, EXPORT_HEADER } from './link-columns';

/** An organization's links as CSV. */
@Injectable()
export class LinkExport {
  constructor(
    private readonly lists: LinkListQuery,
    private readonly places: TrackedLinkPlaces,
  ) {}

  async *run({ organizationId }: Caller, query: ExportLinksQuery): AsyncGenerator<string> {
    const batches = this.lists.all(organizationId, query);
    // An error of the first batch becomes an error response, since nothing has been sent yet.
    let batch = await batches.next();
    yield writeCsv([EXPORT_HEADER]);
    for (; !batch.done; batch = await batches.next()) {
      const links = batch.value;
      const placeOf = await this.places.findMany(organizationId, links);
      const rows = links.map((link) => {
        const response = toShortUrlResponse(link, { ...placeOf(link), clickCount: link.clickCount });
        return cellsOf({ link, response });
      });
      if (rows.length > 0) yield writeCsv(rows);
    }
  }
}
