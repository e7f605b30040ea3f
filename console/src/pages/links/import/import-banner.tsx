import { Button, Group, Paper } from '@mantine/core';
import { useStore } from '../../../api/store';
import { useTexts } from '../../../texts/texts';
import { importRun } from './import-run';
import { Progressed } from './progressed';
import { importTexts } from './texts';

/** On the list, an import that is running. */
export function ImportBanner({ onOpen }: { onOpen: () => void }) {
  const t = useTexts(importTexts);
  const run = useStore(importRun);
  if (run?.state !== 'running' || run.dryRun) return null;
  return (
    <Paper withBorder p="md">
      <Group align="center">
        <div style={{ flex: 1, minWidth: 200 }}>
          <Progressed run={run} />
        </div>
        <Button size="compact-sm" variant="default" onClick={onOpen}>
          {t('show')}
        </Button>
      </Group>
    </Paper>
  );
}
