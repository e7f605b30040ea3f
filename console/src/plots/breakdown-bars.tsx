import { Button, useComputedColorScheme } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import { conversionTexts } from '../kit/conversion-texts';
import type { Conversions } from '../kit/use-conversions';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';
import { BarRow, ROW_HEIGHT, TALL_ROW_HEIGHT } from './bar-row';
import classes from './bars.module.css';
import { barsCanvas, largestOf } from './bars-canvas';
import { OTHER } from './filters';
import { Plot } from './plot';
import { plotTexts } from './texts';
import type { Bar, PlotProps } from './types';

/** Number of visible bars; further ones scroll. */
const IN_SIGHT = 10;
/** Bars rendered above and below the visible ones, so that the keyboard reaches them. */
const BESIDE = 6;

interface Props extends PlotProps {
  /** Heading of the column, such as `Country`. */
  label: string;
  bars: readonly Bar[];
  /** Figures to show beside the values. */
  conversions?: Conversions;
  /** Keys of the bars that are active filters. */
  active?: ReadonlySet<string>;
  onPick?: (key: string) => void;
  /** Loads more bars, up to 100; undefined if there are none. */
  onMore?: (() => void) | undefined;
  /** Returns to the short list. */
  onLess?: (() => void) | undefined;
}

/** Values of a dimension as bars, which are buttons that filter by the value. */
export function BreakdownBars(props: Props) {
  const { label, conversions, active, onPick, onMore, onLess, ...frame } = props;
  const bars = props.bars.map((bar) => ({ ...bar, conversions: conversions?.lineOf(bar.key) }));
  const t = useTexts(plotTexts);
  const c = useTexts(common);
  const v = useTexts(conversionTexts);
  const scheme = useComputedColorScheme('light');
  const changes = bars.some(({ change }) => change !== undefined);
  const sheet = {
    columns: [
      label,
      t('value'),
      ...(conversions?.showsConversions ? [v('conversions')] : []),
      ...(conversions?.showsRevenue ? [`${v('revenue')} (${conversions.currency})`] : []),
      t('share'),
      ...(changes ? [t('change')] : []),
    ],
    rows: bars.map(({ key, name, value, share, change }) => [
      name,
      value,
      ...(conversions?.showsConversions ? [conversions.figuresOf(key)?.conversions ?? null] : []),
      ...(conversions?.showsRevenue ? [conversions.figuresOf(key)?.revenue ?? null] : []),
      `${(share * 100).toFixed(1)}%`,
      ...(changes ? [change ?? null] : []),
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

interface ListProps {
  label: string;
  bars: readonly Bar[];
  active: ReadonlySet<string> | undefined;
  onPick: ((key: string) => void) | undefined;
}

function BarList({ label, bars, active, onPick }: ListProps) {
  const [scrolled, setScrolled] = useState(0);
  const height = bars.some(({ detail, conversions }) => (conversions ?? detail) !== undefined)
    ? TALL_ROW_HEIGHT
    : ROW_HEIGHT;
  const rowHeight = { '--row-height': `${height}px` } as CSSProperties;
  const largest = largestOf(bars);
  const row = (bar: Bar) => (
    <BarRow
      bar={bar}
      width={bar.key !== OTHER && largest > 0 ? bar.value / largest : 0}
      active={active?.has(bar.key)}
      onPick={onPick}
    />
  );
  if (bars.length <= IN_SIGHT + 1) {
    return (
      <ul className={classes.list} aria-label={label} style={rowHeight}>
        {bars.map((bar) => (
          <li key={bar.key}>{row(bar)}</li>
        ))}
      </ul>
    );
  }
  const first = Math.max(0, Math.floor(scrolled / height) - BESIDE);
  const inSight = bars.slice(first, first + IN_SIGHT + 2 * BESIDE);
  return (
    <div
      className={classes.window}
      style={{ maxHeight: IN_SIGHT * height }}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
    >
      <ul className={classes.list} aria-label={label} style={{ height: bars.length * height, ...rowHeight }}>
        {inSight.map((bar, index) => (
          <li
            key={bar.key}
            className={classes.placed}
            style={{ transform: `translateY(${(first + index) * height}px)` }}
            aria-posinset={first + index + 1}
            aria-setsize={bars.length}
          >
            {row(bar)}
          </li>
        ))}
      </ul>
    </div>
  );
}
