import { client } from '../../api/client';
import { itemMessage } from '../../api/errors';
import { csvBody } from '../../kit/csv-import/csv-file';
import { CsvImport, PART } from '../../kit/csv-import/csv-import';
import { unwrap } from '../../kit/form';
import { formatNumber } from '../../texts/format';
import { textOf } from '../../texts/texts';
import { linkTexts } from './texts';

export const linkImport = new CsvImport<null>({
  send: async (part, { dryRun }) => {
    const { created, generated, failed, errors, ignoredColumns } = await unwrap(
      client.POST('/urls/import', { params: { query: { dryRun, maxErrors: PART.rows } }, ...csvBody(part) }),
    );
    const problems = errors.map(({ line, code, message }) => {
      const row = part.rowAt(line);
      return { at: row?.line ?? line, message: itemMessage(message, code), row };
    });
    return { counts: { created, generated }, failed, problems, ignoredColumns };
  },
  summary: ({ dryRun, counts: { created = 0, generated = 0 } }) => {
    const text = textOf(linkTexts, dryRun ? 'wouldImport' : 'imported', {
      count: created,
      formatted: formatNumber(created),
    });
    if (generated === 0) return text;
    return `${text}. ${textOf(linkTexts, 'generated', { formatted: formatNumber(generated) })}`;
  },
  checks: true,
});
