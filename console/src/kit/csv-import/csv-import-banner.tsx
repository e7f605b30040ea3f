import { Button, Group, Paper } from '@mantine/core';
import { useStore } from '../../api/store';
import { useTexts } from '../../texts/texts';
import { type CsvImport, isBusy } from './csv-import';
import { CsvProgress } from './csv-outcome';
import { csvTexts } from './texts';

/** Banner for an import that is running or was interrupted. */
export function CsvImportBanner<Settings>({ of, onOpen }: { of: CsvImport<Settings>; onOpen: () => void }) {
  const t = useTexts(csvTexts);
  const run = useStore(of.run);
  if (run === null || run.dryRun || !(isBusy(run) || run.state === 'failed')) return null;
  return (
    <Paper withBorder p="md">
      <Group>
        <div style={{ flex: 1, minWidth: 200 }}>
          <CsvProgress of={of} run={run} />
        </div>
        <Button size="compact-md" variant="default" onClick={onOpen}>
          {t('show')}
        </Button>
      </Group>
    </Paper>
  );
}
