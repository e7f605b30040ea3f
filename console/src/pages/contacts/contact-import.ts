import { client } from '../../api/client';
import { CsvImport, type CsvRun } from '../../kit/csv-import/csv-import';
import { unwrap } from '../../kit/form';
import { formatNumber } from '../../texts/format';
import { textOf } from '../../texts/texts';
import { contactTexts } from './texts';

export const contactImport = new CsvImport<null>({
  send: async ({ body, lineOffset }) => {
    const { created, updated, failed, errors } = await unwrap(
      client.POST('/contacts/import', {
        body: '',
        bodySerializer: () => body,
        headers: { 'Content-Type': 'text/csv' },
      }),
    );
    const problems = errors.map(({ line, value, message }) => ({ at: line + lineOffset, value, message }));
    return { counts: { created, updated }, failed, problems };
  },
  hasHeader: () => true,
  summary: importSummary,
});

export function importSummary({ created = 0, updated = 0 }: CsvRun['counts']): string {
  return textOf(contactTexts, 'imported', { created: formatNumber(created), updated: formatNumber(updated) });
}
