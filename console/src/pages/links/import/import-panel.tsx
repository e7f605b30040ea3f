import { Alert, Anchor, Button, FileInput, Group, Stack, Text } from '@mantine/core';
import { IconFileTypeCsv, IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from '../../../api/store';
import { Panel } from '../../../kit/panel';
import { common } from '../../../texts/common';
import { formatNumber } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import { importRun, runImport, stopImport } from './import-run';
import { Progressed } from './progressed';
import { RowErrors } from './row-errors';
import { importTexts } from './texts';

const EXAMPLE =
  'url,customAlias,title,tags\r\nhttps://shop.example.com/spring,spring,Spring sale,"spring,shop"\r\n';

/** Imports links from a CSV file, after a dry run that says what would happen. */
export function ImportPanel({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useTexts(importTexts);
  return (
    <Panel opened={opened} title={t('title')} onClose={onClose}>
      <Content onClose={onClose} />
    </Panel>
  );
}

function Content({ onClose }: { onClose: () => void }) {
  const t = useTexts(importTexts);
  const c = useTexts(common);
  const run = useStore(importRun);
  const [chosen, setChosen] = useState<File | null>(null);
  const file = chosen ?? run?.file ?? null;
  const running = run?.state === 'running';
  const checked = run !== null && run.dryRun && run.state === 'done' && run.file === file;
  const choose = (next: File | null) => {
    setChosen(next);
    importRun.set(null);
    if (next) void runImport(next, true);
  };
  return (
    <Stack>
      <Text size="sm">{t('text')}</Text>
      <Anchor
        size="sm"
        href={`data:text/csv;charset=utf-8,${encodeURIComponent(EXAMPLE)}`}
        download="links-example.csv"
      >
        {t('example')}
      </Anchor>
      <FileInput
        label={t('file')}
        placeholder={t('choose')}
        accept=".csv,.txt,text/csv"
        leftSection={<IconFileTypeCsv size={18} />}
        clearable={!running}
        clearButtonProps={{ 'aria-label': t('removeFile') }}
        disabled={running}
        value={file}
        onChange={choose}
      />
      {run && <Progressed run={run} />}
      {run?.ignoredColumns.length ? (
        <Alert color="yellow" icon={<IconInfoCircle />}>
          {t('ignored', { columns: run.ignoredColumns.join(', ') })}
        </Alert>
      ) : null}
      {run && run.errors.length > 0 && <RowErrors run={run} />}
      <Group justify="flex-end" gap="xs">
        {running && !run.dryRun && (
          <Button variant="default" onClick={stopImport}>
            {t('stop')}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {running && !run.dryRun ? t('leave') : c('close')}
        </Button>
        {checked && (
          <Button disabled={run.created === 0} onClick={() => void runImport(run.file, false)}>
            {t('import', { count: run.created, formatted: formatNumber(run.created) })}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
