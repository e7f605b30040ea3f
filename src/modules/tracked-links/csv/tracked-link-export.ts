import type { Caller } from '../../../access/caller';
import { writeCsv } from '../../../common/csv/write-csv';
import type { TrackedLinkResponse } from '../fields/tracked-link.dto';
import type { TrackedLinkFilters } from '../list/tracked-link-list.dto';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import type { TrackedLinksService } from '../tracked-links.service';
import { cellsOf, exportHeader } from './export-columns';

export async function* exportCsv<T extends TrackedLinkEntity, R extends TrackedLinkResponse>(
  service: TrackedLinksService<T, R>,
  { organizationId }: Caller,
  query: TrackedLinkFilters,
): AsyncGenerator<string> {
  const { kind } = service.rows;
  const batches = service.all(organizationId, query);
  // An error of the first batch becomes an error response, since nothing has been sent yet.
  let batch = await batches.next();
  yield writeCsv([exportHeader(kind)]);
  for (; !batch.done; batch = await batches.next()) {
    const rows = batch.value;
    const shown = await service.show(organizationId, rows);
    const cells = shown.flatMap((response, i) => {
      const row = rows[i];
      return row ? [cellsOf(kind, { row, response })] : [];
    });
    if (cells.length > 0) yield writeCsv(cells);
  }
}
