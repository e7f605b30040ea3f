import { Button } from '@mantine/core';
import { useState } from 'react';
import { common } from '../texts/common';
import { formatNumber } from '../texts/format';
import { useTexts } from '../texts/texts';
import { showError } from './toasts';

export type Selection = ReadonlySet<string | number>;

/** The most ids that the API gives at once. */
const MOST = 100_000;

const NOTHING: Selection = new Set();

/** Selected rows of a list, which another search or filter forgets. */
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
  /** Ids of everything that matches, as far as one answer goes. */
  ids: () => Promise<{ ids: readonly number[] }>;
}

/** Offers everything that matches once all loaded rows are selected. */
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
