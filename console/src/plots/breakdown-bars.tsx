import { Button, useComputedColorScheme } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';
import { BarRow, ROW_HEIGHT } from './bar-row';
import classes from './bars.module.css';
import { barsCanvas } from './bars-canvas';
import { Plot } from './plot';
import { plotTexts } from './texts';
import type { Bar, PlotProps } from './types';

/** Bars in sight; further ones scroll. */
const IN_SIGHT = 10;

interface Props extends PlotProps {
  /** What the bars are, as the head of their column: `Country`. */
  label: string;
  bars: readonly Bar[];
  /** Keys of the bars that are filtered by. */
  active?: ReadonlySet<string>;
  onPick?: (key: string) => void;
  /** Asks for more bars, up to 100; undefined when there are none. */
  onMore?: (() => void) | undefined;
  /** Asks for the short list again. */
  onLess?: (() => void) | undefined;
}

/** Values of a dimension as a list of bars; each is a button that filters by it. */
export function BreakdownBars(props: Props) {
  const { label, bars, active, onPick, onMore, onLess, ...frame } = props;
  const t = useTexts(plotTexts);
  const c = useTexts(common);
  const scheme = useComputedColorScheme('light');
  const changes = bars.some(({ change }) => change !== undefined);
  const sheet = {
    columns: [label, t('value'), t('share'), ...(changes ? [t('change')] : [])],
    rows: bars.map(({ name, value, share, change }) => [
      name,
      value,
      `${(share * 100).toFixed(1)}%`,
      ...(changes ? [change === undefined || change === null ? null : signed(change)] : []),
    ]),
  };
  return (
    <Plot
      {...frame}
      sheet={sheet}
      empty={bars.length === 0}
      picture={() => barsCanvas(frame.title, bars, scheme)}
    >
      <BarList label={frame.title} bars={bars} active={active} onPick={onPick} />
      {(onMore ?? onLess) && (
        <Button variant="subtle" color="gray" size="compact-sm" mt="xs" onClick={onMore ?? onLess}>
          {onMore ? c('more') : t('less')}
        </Button>
      )}
    </Plot>
  );
}

/** A text of a change; spreadsheets read `-12%` as a number. */
function signed(change: number): string {
  return `${change}%`;
}

interface ListProps {
  label: string;
  bars: readonly Bar[];
  active: ReadonlySet<string> | undefined;
  onPick: ((key: string) => void) | undefined;
}

function BarList({ label, bars, active, onPick }: ListProps) {
  const box = useRef<HTMLDivElement>(null);
  const largest = Math.max(...bars.map(({ value }) => value));
  const virtual = useVirtualizer({
    count: bars.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
  });
  const row = (bar: Bar) => (
    <BarRow
      bar={bar}
      width={largest > 0 ? bar.value / largest : 0}
      active={active?.has(bar.key)}
      onPick={onPick}
    />
  );
  if (bars.length <= IN_SIGHT + 1) {
    return (
      <ul className={classes.list} aria-label={label}>
        {bars.map((bar) => (
          <li key={bar.key}>{row(bar)}</li>
        ))}
      </ul>
    );
  }
  return (
    <div ref={box} className={classes.window} style={{ maxHeight: IN_SIGHT * ROW_HEIGHT }}>
      <ul className={classes.list} aria-label={label} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const bar = bars[index];
          return (
            bar && (
              <li
                key={bar.key}
                className={classes.placed}
                style={{ transform: `translateY(${start}px)` }}
                aria-posinset={index + 1}
                aria-setsize={bars.length}
              >
                {row(bar)}
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}
