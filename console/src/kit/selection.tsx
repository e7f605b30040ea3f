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
  label: string;
  /** Number of selected rows. */
  count: number;
  select: (selection: Selection) => void;
  /** Number of rows that a running change has processed. */
  done?: number | null;
  /** Offers all matches once all loaded rows are selected. */
  matching?: Matching;
  /** What can be done with the selected rows. */
  children: ReactNode;
}

/** The rows that match the search and filters of a list. */
export interface Matching {
  /** Rows that are loaded. */
  loaded: number;
  total: number | undefined;
  /** Ids of all matches, up to the limit of a response. */
  ids: () => Promise<{ ids: readonly number[] }>;
}

/** Bar with actions for the selected rows, always in view. */
export function SelectionBar({ label, count, select, done = null, matching, children }: Props) {
  const t = useTexts(common);
  const [asking, setAsking] = useState(false);
  const { loaded = 0, total = 0 } = matching ?? {};
  const formatted = formatNumber(count);
  const selectMatching = async ({ ids }: Matching) => {
    setAsking(true);
    try {
      select(new Set((await ids()).ids));
    } catch (error) {
      showError(error);
    }
    setAsking(false);
  };
  return (
    <Paper withBorder p="xs" pos="sticky" top={64} style={{ zIndex: 50 }} role="region" aria-label={label}>
      <Group gap="xs">
        {/* Until the ids arrive, an action would apply to the loaded rows only. */}
        <fieldset disabled={asking} style={{ display: 'contents' }}>
          <Text size="sm" fw={600} px="xs" role="status">
            {done !== null && count > PART
              ? t('doneOf', { done: formatNumber(done), all: formatted })
              : t('selected', { count, formatted })}
          </Text>
          {done === null && matching && count === loaded && loaded < total && (
            <Button
              size="compact-sm"
              variant="subtle"
              loading={asking}
              onClick={() => void selectMatching(matching)}
            >
              {total > MOST
                ? t('selectFirst', { formatted: formatNumber(MOST), all: formatNumber(total) })
                : t('selectMatching', { count: total, formatted: formatNumber(total) })}
            </Button>
          )}
          {children}
          <Button size="compact-sm" variant="subtle" disabled={done !== null} onClick={() => select(NOTHING)}>
            {t('unselect')}
          </Button>
        </fieldset>
      </Group>
    </Paper>
  );
}
