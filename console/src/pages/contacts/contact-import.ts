import { client } from '../../api/client';
import { itemMessage } from '../../api/errors';
import { csvBody } from '../../kit/csv-import/csv-file';
import { CsvImport } from '../../kit/csv-import/csv-import';
import { unwrap } from '../../kit/form';
import { formatNumber } from '../../texts/format';
import { textOf } from '../../texts/texts';
import { contactTexts } from './texts';

export const contactImport = new CsvImport<null>({
  send: async (part) => {
    const { created, updated, failed, ignoredColumns, errors } = await unwrap(
      client.POST('/messaging/contacts/import', csvBody(part)),
    );
    const problems = errors.map(({ line, value, reason, message }) => {
      const row = part.rowAt(line);
      return { at: row?.line ?? line, value, message: itemMessage(message, reason), row };
    });
    return { counts: { created, updated }, failed, problems, ignoredColumns };
  },
  summary: ({ counts: { created = 0, updated = 0 } }) =>
    textOf(contactTexts, 'imported', { created: formatNumber(created), updated: formatNumber(updated) }),
});
