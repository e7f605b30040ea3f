import { Alert, Button, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { IconDownload, IconInfoCircle } from '@tabler/icons-react';
import { useStore } from '../../api/store';
import { common } from '../../texts/common';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { type CsvImport, type CsvRun, isBusy } from './csv-import';
import { saveFile } from '../save-file';
import { failedFile } from './csv-file';
import { csvTexts } from './texts';

/** Progress and result of an import or its dry run, with the failed rows. */
export function CsvOutcome<Settings>({ of, at }: { of: CsvImport<Settings>; at: string }) {
  const t = useTexts(csvTexts);
  const run = useStore(of.run);
  if (run === null) return null;
  return (
    <>
      <CsvProgress of={of} run={run} />
      {run.ignoredColumns.length > 0 && (
        <Alert color="yellow" icon={<IconInfoCircle />}>
          {t('ignored', { columns: run.ignoredColumns.join(', ') })}
        </Alert>
      )}
      {run.problems.length > 0 && <Problems run={run} at={at} />}
    </>
  );
}

/** Progress or result. */
export function CsvProgress<Settings>({ of, run }: { of: CsvImport<Settings>; run: CsvRun }) {
  const t = useTexts(csvTexts);
  const c = useTexts(common);
  const { state, dryRun, rows, rowsDone, failed, ended } = run;
  const numbers = { done: formatNumber(rowsDone), rows: formatNumber(rows) };
  if (isBusy(run)) {
    return (
      <Stack gap={6} role="status">
        <Text size="sm" className="numbers">
          {dryRun ? t('checking', numbers) : t('progressRows', numbers)}
        </Text>
        <Progress value={rows > 0 ? (rowsDone / rows) * 100 : 0} animated aria-label={t('progress')} />
      </Stack>
    );
  }
  return (
    <Alert color={ended !== null ? 'red' : failed > 0 || rows === 0 ? 'yellow' : 'teal'} role="status">
      <Group justify="space-between">
        <Stack gap={4}>
          {ended !== null && <Text size="sm">{ended}</Text>}
          {state === 'stopped' && <Text size="sm">{t('stopped')}</Text>}
          {state !== 'done' && rows > 0 && <Text size="sm">{t('progressRows', numbers)}</Text>}
          {rows === 0 && ended === null && <Text size="sm">{t('noRows')}</Text>}
          {rowsDone > 0 && <Text size="sm">{of.options.summary(run)}</Text>}
          {failed > 0 && (
            <Text size="sm">
              {t(dryRun ? 'wouldFail' : 'failedRows', { formatted: formatNumber(failed) })}
            </Text>
          )}
        </Stack>
        {state === 'failed' && (
          <Button size="compact-sm" variant="default" onClick={() => void of.proceed()}>
            {c('tryAgain')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

/** Number of problems shown; the file has all. */
const SHOWN = 100;

function Problems({ run, at: heading }: { run: CsvRun; at: string }) {
  const t = useTexts(csvTexts);
  const { failed, header } = run;
  const problems = run.problems.slice(0, SHOWN);
  const withValues = problems.some(({ value }) => typeof value === 'string');
  return (
    <Stack gap={4}>
      <Table.ScrollContainer minWidth={320} mah={420} scrollAreaProps={{ tabIndex: 0 }}>
        <Table aria-label={t('problems')} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={64} ta="right">
                {heading}
              </Table.Th>
              {withValues && <Table.Th>{t('value')}</Table.Th>}
              <Table.Th>{t('problem')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {problems.map(({ at, value, message, row }, index) => (
              <Table.Tr key={index}>
                <Table.Td ta="right" className="numbers">
                  {formatNumber(at)}
                </Table.Td>
                {withValues && <Table.Td style={{ overflowWrap: 'anywhere' }}>{value ?? '–'}</Table.Td>}
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {message}
                  {row && (
                    <Text size="xs" c="dimmed" lineClamp={4}>
                      {valuesOf(header, row.cells)}
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => download(run)}
        >
          {t('downloadFailed')}
        </Button>
        <Text size="xs" c="dimmed">
          {t('downloadHint')}
        </Text>
      </Group>
      {failed > problems.length && (
        <Text size="xs" c="dimmed">
          {t('firstProblems', { shown: formatNumber(problems.length), failed: formatNumber(failed) })}
        </Text>
      )}
    </Stack>
  );
}

function valuesOf(header: readonly string[], cells: readonly string[]): string {
  return cells
    .map((cell, i) => (cell.trim() === '' ? '' : `${header[i]?.trim() ?? ''}: ${cell}`))
    .filter((text) => text !== '')
    .join(' · ');
}

function download({ file, header, problems }: CsvRun): void {
  const failed = problems.flatMap(({ row, message }) => (row ? [{ cells: row.cells, message }] : []));
  const name = `${file.name.replace(/\.\w+$/, '')}-failed.csv`;
  saveFile(name, new Blob([failedFile(header, failed)], { type: 'text/csv;charset=utf-8' }));
}
