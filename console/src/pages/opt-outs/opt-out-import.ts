import { client } from '../../api/client';
import { importUnsubscribes_method } from '../../api/values.gen';
import { CsvImport, type CsvRun } from '../../kit/csv-import/csv-import';
import { unwrap } from '../../kit/form';
import { formatNumber } from '../../texts/format';
import { textOf } from '../../texts/texts';
import type { Channel } from './changes';
import { optOutTexts } from './texts';

export type Method = (typeof importUnsubscribes_method)[number];
export interface ImportSettings {
  channel: Channel;
  method: Method;
  source: string;
}

export const optOutImport = new CsvImport<ImportSettings>({
  send: async ({ body, rowsBefore }, { channel, method, source }) => {
    const query = { channel, method, ...(source !== '' && { source }) };
    const { accepted, duplicated, failed, invalid } = await unwrap(
      client.POST('/unsubscribes/import', {
        params: { query },
        body: '',
        bodySerializer: () => body,
        headers: { 'Content-Type': 'text/csv' },
      }),
    );
    const problems = invalid.map(({ index, value, reason }) => ({
      at: index + rowsBefore + 1,
      value,
      message: textOf(optOutTexts, reason),
    }));
    return { counts: { accepted, duplicated }, failed, problems };
  },
  // As the API does: a first cell that is a number or an address names no column.
  hasHeader: (firstLine) => !/@|(\d[^,]*){4}/.test(firstLine),
  summary: importSummary,
});

export function importSummary({ accepted = 0, duplicated = 0 }: CsvRun['counts']): string {
  return textOf(optOutTexts, 'imported', {
    accepted: formatNumber(accepted),
    duplicated: formatNumber(duplicated),
  });
}
