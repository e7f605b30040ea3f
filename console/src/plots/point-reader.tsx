import { VisuallyHidden } from '@mantine/core';
import type { EChartsType } from 'echarts/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { formatNumber } from '../texts/format';
import { useTexts } from '../texts/texts';
import { plotTexts } from './texts';
import classes from './point-reader.module.css';

interface Props {
  /** Description of the plot and its keyboard control. */
  label: string;
  count: number;
  /** Points per row, by which the up and down arrows move; 0 without rows. */
  rowLength?: number;
  chart: EChartsType | null;
  read: (index: number) => { title: string; lines: readonly { name: string; value: number | undefined }[] };
  onSelect?: (first: number, last: number) => void;
  children: ReactNode;
}

/** Makes the points of a chart accessible by keyboard, and announces each. */
export function PointReader({ label, count, rowLength = 0, chart, read, onSelect, children }: Props) {
  const t = useTexts(plotTexts);
  const [at, setAt] = useState<number | null>(null);
  const [anchor, setAnchor] = useState<number | null>(null);

  const move = (to: number, selecting: boolean) => {
    const index = Math.min(Math.max(to, 0), count - 1);
    setAnchor(selecting && onSelect ? (anchor ?? at ?? index) : null);
    setAt(index);
    chart?.dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex: index });
  };
  const leave = () => {
    setAt(null);
    setAnchor(null);
    chart?.dispatchAction({ type: 'hideTip' });
  };
  const press = (event: KeyboardEvent) => {
    const from = at ?? (event.key === 'ArrowLeft' ? count : -1);
    const moves: Partial<Record<string, () => void>> = {
      ArrowLeft: () => move(from - 1, event.shiftKey),
      ArrowRight: () => move(from + 1, event.shiftKey),
      ...(rowLength > 0 && {
        ArrowUp: () => move(from - rowLength, false),
        ArrowDown: () => move(from + rowLength, false),
      }),
      Home: () => move(0, event.shiftKey),
      End: () => move(count - 1, event.shiftKey),
      ...(at !== null && { Escape: leave }),
      ...(at !== null &&
        onSelect && {
          Enter: () => {
            leave();
            onSelect(Math.min(anchor ?? at, at), Math.max(anchor ?? at, at));
          },
        }),
    };
    const act = moves[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  const say = () => {
    if (at === null || at >= count) return '';
    if (anchor !== null && anchor !== at) {
      const [first, last] = [Math.min(anchor, at), Math.max(anchor, at)];
      return t('selected', { from: read(first).title, to: read(last).title });
    }
    const { title, lines } = read(at);
    return `${title}: ${lines.map(({ name, value }) => `${name} ${value === undefined ? '–' : formatNumber(value)}`).join(', ')}`;
  };
  return (
    <>
      <div
        role="slider"
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={(at ?? 0) + 1}
        aria-valuetext={at === null ? '' : read(at).title}
        tabIndex={0}
        onKeyDown={press}
        onBlur={leave}
        className={classes.reader}
      >
        {children}
      </div>
      <VisuallyHidden aria-live="polite">{say()}</VisuallyHidden>
    </>
  );
}
