import { useMemo } from 'react';
import { useConversions } from '../../kit/use-conversions';
import { BreakdownBars } from '../../plots/breakdown-bars';
import { OTHER } from '../../plots/filters';
import { valueName } from '../../plots/names';
import { plotTexts } from '../../plots/texts';
import type { Bar, ClickAnalytics, PlotState } from '../../plots/types';
import { useTexts } from '../../texts/texts';
import { overviewTexts } from './texts';
import { REFRESH_MS } from './use-figures';

const NONE = '(none)';

interface Props {
  title: string;
  label: string;
  kind: 'link' | 'campaign';
  days: { startDate: string; endDate: string };
  state: PlotState & { data: ClickAnalytics | undefined };
  /** Called with the id of the chosen one. */
  onPick: (id: string) => void;
}

/** Links or campaigns with the most clicks, with links to their pages. */
export function TopGroups({ title, label, kind, days: { startDate, endDate }, state, onPick }: Props) {
  const t = useTexts(overviewTexts);
  const p = useTexts(plotTexts);
  const ids = (state.data?.groups ?? []).flatMap(({ id }) => id ?? []).join(' ');
  const questions = useMemo(
    () => (ids === '' ? [] : [{ startDate, endDate, groupBy: kind, id: ids.split(' ').map(Number) }]),
    [ids, kind, startDate, endDate],
  );
  const conversions = useConversions(questions, REFRESH_MS);
  const total = state.data?.total ?? 0;
  const bars = (state.data?.groups ?? [])
    .filter(({ key }) => key !== NONE)
    .map(({ key, name, address, value }): Bar => ({
      key,
      name: valueName('link', key, name, p),
      detail: address === null ? undefined : address.replace(/^https?:\/\//, ''),
      value,
      share: total > 0 ? value / total : 0,
      fixed: key === OTHER,
    }));
  return (
    <BreakdownBars
      title={title}
      subtitle={t('ofDays30')}
      label={label}
      state={state}
      bars={bars}
      conversions={conversions}
      onPick={onPick}
    />
  );
}
