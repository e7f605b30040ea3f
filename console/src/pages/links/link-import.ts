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
      const { created, generated, legacyCodes, failed, errors, ignoredColumns } = await unwrap(
        client.POST(`${KINDS[kind].path}/import`, {
          params: { query: { dryRun, maxErrors: PART.rows } },
          ...csvBody(part),
        }),
      );
      const problems = errors.map(({ line, code, message }) => {
        const row = part.rowAt(line);
        return { at: row?.line ?? line, message: itemMessage(message, code), row };
      });
      return { counts: { created, generated, legacyCodes }, failed, problems, ignoredColumns };
    },
    summary: ({ dryRun, counts: { created = 0, ...counts } }) => {
      const text = textOf(linkTexts, dryRun ? 'wouldImport' : 'imported', {
        context: kind,
        count: created,
        formatted: formatNumber(created),
      });
      const more = (['generated', 'legacyCodes'] as const).flatMap((name) => {
        const count = counts[name] ?? 0;
        return count === 0 ? [] : textOf(linkTexts, name, { count, formatted: formatNumber(count) });
      });
      return more.length === 0 ? text : `${text}. ${more.join(' ')}`;
    },
    checks: true,
  });

/** The imports of both kinds, which continue while other pages are open. */
export const LINK_IMPORTS = { link: importOf('link'), campaign: importOf('campaign') };
