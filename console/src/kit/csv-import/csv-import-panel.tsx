import { Anchor, Button, FileInput, Group, Stack, Text } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useStore } from '../../api/store';
import { common } from '../../texts/common';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { Panel } from '../panel';
import { type CsvImport, isBusy } from './csv-import';
import { CsvOutcome } from './csv-outcome';
import { csvTexts } from './texts';

interface Props<Settings> {
  of: CsvImport<Settings>;
  settings: Settings;
  title: string;
  text: string;
  example: { name: string; content: string };
  /** What `at` of a problem counts, such as lines or rows. */
  at: string;
  /** Fields of the settings. */
  children?: ReactNode;
  /** As in `Panel`. */
  addressed?: boolean;
  onClose: () => void;
  /** Navigates to the imported items, if the page would not show them otherwise. */
  onShow?: () => void;
}

/** Imports a CSV file, after a dry run if the import checks files. Closing the panel does not stop it. */
export function CsvImportPanel<Settings>({ title, addressed = false, ...props }: Props<Settings>) {
  const run = useStore(props.of.run);
  return (
    <Panel opened title={title} addressed={addressed} onClose={props.onClose}>
      {run === null || run.dryRun ? <Choice {...props} /> : <Import {...props} />}
    </Panel>
  );
}

type ContentProps<Settings> = Omit<Props<Settings>, 'title' | 'addressed'>;

/** Form for file and settings. */
function Choice<Settings>({ of, settings, text, example, at, children }: ContentProps<Settings>) {
  const t = useTexts(csvTexts);
  const { checks = false } = of.options;
  const dryRun = useStore(of.run);
  const [chosen, setChosen] = useState<File | null>(dryRun?.file ?? null);
  const choose = (file: File | null) => {
    setChosen(file);
    of.run.set(null);
    if (file && checks) void of.start(file, settings, true);
  };
  const good = dryRun?.state === 'done' ? dryRun.rows - dryRun.failed : 0;
  return (
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
        accept=".csv,.txt,.json,text/csv,application/json"
        leftSection={<IconFileTypeCsv size={18} />}
        clearable={!isBusy(dryRun)}
        clearButtonProps={{ 'aria-label': t('removeFile') }}
        disabled={isBusy(dryRun)}
        value={chosen}
        onChange={choose}
      />
      <CsvOutcome of={of} at={at} />
      <Group justify="flex-end">
        <Button
          disabled={chosen === null || (checks && good === 0)}
          onClick={() => chosen && void of.start(chosen, settings)}
        >
          {good > 0 ? t('startRows', { count: good, formatted: formatNumber(good) }) : t('start')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The current or last import. */
function Import<Settings>({ of, at, onClose, onShow }: ContentProps<Settings>) {
  const t = useTexts(csvTexts);
  const c = useTexts(common);
  const run = useStore(of.run);
  const busy = isBusy(run);
  return (
    <Stack>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {run?.file.name}
      </Text>
      <CsvOutcome of={of} at={at} />
      <Group justify="flex-end" gap="xs">
        {busy ? (
          <Button variant="default" loading={run?.state === 'stopping'} onClick={() => of.stop()}>
            {t('stop')}
          </Button>
        ) : (
          <Button variant="default" onClick={() => of.run.set(null)}>
            {t('again')}
          </Button>
        )}
        {onShow && !busy && run && run.failed < run.rowsDone && (
          <Button variant="default" onClick={onShow}>
            {t('showImported')}
          </Button>
        )}
        <Button onClick={onClose}>{busy ? t('leave') : c('close')}</Button>
      </Group>
    </Stack>
  );
}
