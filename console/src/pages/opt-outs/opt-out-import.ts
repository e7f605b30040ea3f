import { client } from '../../api/client';
import { importOrganizationUnsubscribes_method } from '../../api/values.gen';
import { namesOfPlainList } from '../../../../src/modules/unsubscribes/import/unsubscribe-columns';
import { csvBody } from '../../kit/csv-import/csv-file';
import { CsvImport } from '../../kit/csv-import/csv-import';
import { unwrap } from '../../kit/form';
import { formatNumber } from '../../texts/format';
import { textOf } from '../../texts/texts';
import type { Channel } from './changes';
import { optOutTexts } from './texts';

export type Method = (typeof importOrganizationUnsubscribes_method)[number];
interface ImportSettings {
  channel: Channel;
  method: Method;
  source: string;
}

export const optOutImport = new CsvImport<ImportSettings>({
  send: async (part, { settings: { channel, method, source } }) => {
    const query = { channel, method, ...(source !== '' && { source }) };
    const { accepted, duplicated, failed, ignoredColumns, invalid } = await unwrap(
      client.POST('/messaging/unsubscribes/import', { params: { query }, ...csvBody(part) }),
    );
    const problems = invalid.map(({ index, value, reason }) => ({
      at: index + part.rowsBefore + 1,
      value,
      message: textOf(optOutTexts, reason),
      row: part.rows[index],
    }));
    return { counts: { accepted, duplicated }, failed, problems, ignoredColumns };
  },
  headerOf: (first, { channel }) => namesOfPlainList(first, channel),
  summary: ({ counts: { accepted = 0, duplicated = 0 } }) =>
    textOf(optOutTexts, 'imported', {
      accepted: formatNumber(accepted),
      duplicated: formatNumber(duplicated),
    }),
});
