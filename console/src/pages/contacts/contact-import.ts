import { client } from '../../api/client';
import { CsvImport } from '../../kit/csv-import/csv-import';
import { csvBody } from '../../kit/csv-import/csv-parts';
import { unwrap } from '../../kit/form';
import { formatNumber } from '../../texts/format';
import { textOf } from '../../texts/texts';
import { contactTexts } from './texts';

export const contactImport = new CsvImport<null>({
  send: async (part) => {
    const { created, updated, failed, errors } = await unwrap(client.POST('/contacts/import', csvBody(part)));
    const problems = errors.map(({ line, value, message }) => ({
      at: line + part.lineOffset,
      value,
      message,
    }));
    return { counts: { created, updated }, failed, problems };
  },
  hasHeader: () => true,
  summary: ({ counts: { created = 0, updated = 0 } }) =>
    textOf(contactTexts, 'imported', { created: formatNumber(created), updated: formatNumber(updated) }),
});
