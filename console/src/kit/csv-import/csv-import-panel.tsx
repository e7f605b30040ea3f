import { Alert, Anchor, Button, FileInput, Group, Paper, Progress, Stack, Table, Text } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useStore } from '../../api/store';
import { common } from '../../texts/common';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { Panel } from '../panel';
import type { CsvImport, CsvRun } from './csv-import';
import { csvTexts } from './texts';

interface Props<Settings> {
  of: CsvImport<Settings>;
  settings: Settings;
  title: string;
  text: string;
  example: { name: string; content: string };
  /** What `at` of the problems counts. */
  at: string;
  summary: (counts: CsvRun['counts']) => string;
  /** Fields of the settings. */
  children?: ReactNode;
  onClose: () => void;
}

/** Imports a CSV file; closing leaves the import running. */
export function CsvImportPanel<Settings>(props: Props<Settings>) {
  const { of, settings, title, text, example, at, summary, children, onClose } = props;
  const t = useTexts(csvTexts);
  const c = useTexts(common);
  const run = useStore(of.run);
  const [file, setFile] = useState<File | null>(null);
  const running = run?.state === 'running';
  return (
    <Panel opened title={title} onClose={onClose}>
      {run === null ? (
        <Stack>
          <Text size="sm">{text}</Text>
          <Anchor
            size="sm"
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(example.content)}`}
            download={example.name}
          >
            {t('example')}
          </Anchor>
          {children}
          <FileInput
            label={t('file')}
            placeholder={t('choose')}
            accept=".csv,.txt,text/csv"
            leftSection={<IconFileTypeCsv size={18} />}
            clearable
            clearButtonProps={{ 'aria-label': t('removeFile') }}
            value={file}
            onChange={setFile}
          />
          <Group justify="flex-end">
            <Button disabled={file === null} onClick={() => file && void of.start(file, settings)}>
              {t('start')}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {run.file.name}
          </Text>
          <Progressed run={run} summary={summary} />
          {run.problems.length > 0 && <Problems run={run} at={at} />}
          <Group justify="flex-end" gap="xs">
            {running ? (
              <Button variant="default" onClick={() => of.stop()}>
                {t('stop')}
              </Button>
            ) : (
              <Button variant="default" onClick={() => of.run.set(null)}>
                {t('again')}
              </Button>
            )}
            <Button onClick={onClose}>{running ? t('leave') : c('close')}</Button>
          </Group>
        </Stack>
      )}
    </Panel>
  );
}

interface BannerProps<Settings> {
  of: CsvImport<Settings>;
  summary: Props<Settings>['summary'];
  onOpen: () => void;
}

/** On the page, an import that is running. */
export function CsvImportBanner<Settings>(props: BannerProps<Settings>) {
  const t = useTexts(csvTexts);
  const run = useStore(props.of.run);
  if (run?.state !== 'running') return null;
  return (
    <Paper withBorder p="md">
      <Group>
        <div style={{ flex: 1, minWidth: 200 }}>
          <Progressed run={run} summary={props.summary} />
        </div>
        <Button size="compact-md" variant="default" onClick={props.onOpen}>
          {t('show')}
        </Button>
      </Group>
    </Paper>
  );
}

interface ProgressProps {
  run: CsvRun;
  summary: (counts: CsvRun['counts']) => string;
}

function Progressed({ run, summary }: ProgressProps) {
  const t = useTexts(csvTexts);
  const { state, rows, rowsDone, counts, failed, ended } = run;
  if (state === 'running') {
    return (
      <Stack gap={6} role="status">
        <Text size="sm" className="numbers">
          {t('importing', { done: formatNumber(rowsDone), rows: formatNumber(rows) })}
        </Text>
        <Progress value={rows > 0 ? (rowsDone / rows) * 100 : 100} animated aria-label={t('progress')} />
      </Stack>
    );
  }
  return (
    <Alert color={ended !== null ? 'red' : failed > 0 ? 'yellow' : 'teal'} role="status">
      <Stack gap={4}>
        {ended !== null && <Text size="sm">{ended}</Text>}
        {state === 'stopped' && <Text size="sm">{t('stopped')}</Text>}
        <Text size="sm">{summary(counts)}</Text>
        {failed > 0 && <Text size="sm">{t('failedRows', { formatted: formatNumber(failed) })}</Text>}
      </Stack>
    </Alert>
  );
}

function Problems({ run, at: heading }: { run: CsvRun; at: string }) {
  const t = useTexts(csvTexts);
  const { problems, failed } = run;
  return (
    <Stack gap={4}>
      <Table.ScrollContainer minWidth={320} mah={420} scrollAreaProps={{ tabIndex: 0 }}>
        <Table aria-label={t('problems')} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={64} ta="right">
                {heading}
              </Table.Th>
              <Table.Th>{t('value')}</Table.Th>
              <Table.Th>{t('problem')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {problems.map(({ at, value, message }, index) => (
              <Table.Tr key={index}>
                <Table.Td ta="right" className="numbers">
                  {formatNumber(at)}
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value ?? '–'}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{message}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {failed > problems.length && (
        <Text size="xs" c="dimmed">
          {t('firstProblems', { shown: formatNumber(problems.length), failed: formatNumber(failed) })}
        </Text>
      )}
    </Stack>
  );
}
