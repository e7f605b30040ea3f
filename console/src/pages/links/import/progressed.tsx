import { Alert, Progress, Stack, Text } from '@mantine/core';
import { formatNumber } from '../../../texts/format';
import { useTexts } from '../../../texts/texts';
import type { ImportRun } from './import-run';
import { importTexts } from './texts';

/** How far a dry run or an import is, and what came of it. */
export function Progressed({ run }: { run: ImportRun }) {
  const t = useTexts(importTexts);
  const { state, dryRun, rows, rowsDone, created, failed, generated, problem } = run;
  const numbers = {
    done: formatNumber(rowsDone),
    rows: formatNumber(rows),
    created: formatNumber(created),
    failed: formatNumber(failed),
    generated: formatNumber(generated),
  };
  if (state === 'running') {
    return (
      <Stack gap={6} role="status">
        <Text size="sm" className="numbers">
          {t(dryRun ? 'checking' : 'importing', numbers)}
        </Text>
        <Progress
          value={rows > 0 ? (rowsDone / rows) * 100 : 100}
          animated
          aria-label={t(dryRun ? 'checking' : 'importing', numbers)}
        />
      </Stack>
    );
  }
  return (
    <Alert color={problem !== null ? 'red' : failed > 0 ? 'yellow' : 'teal'} role="status">
      <Stack gap={4}>
        {problem !== null && <Text size="sm">{problem}</Text>}
        {state === 'stopped' && <Text size="sm">{t('stopped')}</Text>}
        <Text size="sm" className="numbers">
          {t(dryRun ? 'wouldBe' : 'was', numbers)}
        </Text>
        {generated > 0 && (
          <Text size="sm" className="numbers">
            {t('generated', numbers)}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
