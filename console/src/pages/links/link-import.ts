import { client } from '../../api/client';
import { itemMessage } from '../../api/errors';
import { csvBody } from '../../kit/csv-import/csv-file';
import { CsvImport, PART } from '../../kit/csv-import/csv-import';
import { unwrap } from '../../kit/form';
import { formatNumber } from '../../texts/format';
import { textOf } from '../../texts/texts';
import { type Kind, KINDS } from './kinds';
import { linkTexts } from './texts';

const importOf = (kind: Kind) =>
  new CsvImport<null>({
    send: async (part, { dryRun }) => {
      const { created, generated, failed, errors, ignoredColumns } = await unwrap(
        client.POST(`${KINDS[kind].path}/import`, {
          params: { query: { dryRun, maxErrors: PART.rows } },
          ...csvBody(part),
        }),
      );
      const problems = errors.map(({ line, code, message }) => {
        const row = part.rowAt(line);
        return { at: row?.line ?? line, message: itemMessage(message, code), row };
      });
      return { counts: { created, generated }, failed, problems, ignoredColumns };
    },
    summary: ({ dryRun, counts: { created = 0, generated = 0 } }) => {
      const text = textOf(linkTexts, dryRun ? 'wouldImport' : 'imported', {
        context: kind,
        count: created,
        formatted: formatNumber(created),
      });
      if (generated === 0) return text;
      return `${text}. ${textOf(linkTexts, 'generated', { formatted: formatNumber(generated) })}`;
    },
    checks: true,
  });

/** The imports of both kinds, which continue while other pages are open. */
export const LINK_IMPORTS = { link: importOf('link'), campaign: importOf('campaign') };
