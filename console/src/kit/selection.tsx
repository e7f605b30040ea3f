import { Button, Group, Paper, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { common } from '../texts/common';
import { formatNumber } from '../texts/format';
import { useTexts } from '../texts/texts';
import { showError } from './toasts';

export type Selection = ReadonlySet<string | number>;

/** Maximum number of ids that the API returns at once. */
const MOST = 100_000;

/** Maximum number of rows per call. */
export const PART = 1_000;

const NOTHING: Selection = new Set();

/** Selected rows of a list; cleared when search or filters change. */
export function useSelection(query: object): [Selection, (selection: Selection) => void] {
  const key = JSON.stringify(query);
  const [selected, select] = useState({ key, of: NOTHING });
  return [selected.key === key ? selected.of : NOTHING, (of) => select({ key, of })];
}

interface Props {
  /** Rows that are loaded. */
  loaded: number;
  total: number | undefined;
  selection: Selection;
  select: (selection: Selection) => void;
  /** Ids of all matches, up to the limit of a response. */
  ids: () => Promise<{ ids: readonly number[] }>;
}

/** Offers to select all matches once all loaded rows are selected. */
export function SelectMatching({ loaded, total = 0, selection, select, ids }: Props) {
  const t = useTexts(common);
  const [busy, setBusy] = useState(false);
  if (selection.size !== loaded || loaded >= total) return null;
  const run = async () => {
    setBusy(true);
    try {
      select(new Set((await ids()).ids));
    } catch (error) {
      showError(error);
    }
    setBusy(false);
  };
  return (
    <Button size="compact-sm" variant="subtle" loading={busy} onClick={() => void run()}>
      {total > MOST
        ? t('selectFirst', { formatted: formatNumber(MOST), all: formatNumber(total) })
        : t('selectMatching', { count: total, formatted: formatNumber(total) })}
    </Button>
  );
}

interface BarProps {
  label: string;
  count: number;
  /** Number of rows that a running change has processed. */
  done?: number | null;
  /** Offers further rows to select. */
  others?: ReactNode;
  onClear: () => void;
  /** What can be done with the selected rows. */
  children: ReactNode;
}

/** Bar with actions for the selected rows, always in view. */
export function SelectionBar({ label, count, done = null, others, onClear, children }: BarProps) {
  const t = useTexts(common);
  const formatted = formatNumber(count);
  return (
    <Paper withBorder p="xs" pos="sticky" top={64} style={{ zIndex: 50 }} role="region" aria-label={label}>
      <Group gap="xs">
        <Text size="sm" fw={600} px="xs" role="status">
          {done !== null && count > PART
            ? t('doneOf', { done: formatNumber(done), all: formatted })
            : t('selected', { count, formatted })}
        </Text>
        {done === null && others}
        {children}
        <Button size="compact-sm" variant="subtle" disabled={done !== null} onClick={onClear}>
          {t('unselect')}
        </Button>
      </Group>
    </Paper>
  );
}
