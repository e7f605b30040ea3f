import { UnstyledButton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { formatNumber, formatPercent } from '../texts/format';
import { useTexts } from '../texts/texts';
import classes from './bars.module.css';
import { OTHER } from './filters';
import { plotTexts } from './texts';
import type { Bar } from './types';

export const ROW_HEIGHT = 36;
/** Height of a row with a second line for details. */
export const TALL_ROW_HEIGHT = 48;

interface Props {
  bar: Bar;
  /** Share of the widest bar, 0 to 1. */
  width: number;
  active: boolean | undefined;
  onPick: ((key: string) => void) | undefined;
}

export function BarRow({ bar, width, active = false, onPick }: Props) {
  const t = useTexts(plotTexts);
  const { key, name, conversions, value, share, change, fixed = false } = bar;
  const detail = [conversions, bar.detail].filter(Boolean).join(' · ');
  const content = (
    <>
      <span className={classes.fill} style={{ width: `${width * 100}%` }} />
      <span className={classes.texts}>
        <span className={classes.name}>
          {active && <IconCheck size={14} aria-hidden className={classes.check} />}
          <bdi title={name}>{name}</bdi>
        </span>
        {detail !== '' && (
          <bdi className={classes.detail} title={detail}>
            {detail}
          </bdi>
        )}
      </span>
      {change !== undefined && (
        <span className={classes.change} data-down={(change ?? 0) < 0 || undefined}>
          {change === null ? (value > 0 ? t('isNew') : '') : changeText(change)}
        </span>
      )}
      <span className={classes.value}>{formatNumber(value)}</span>
      <span className={classes.share}>{formatPercent(share)}</span>
    </>
  );
  if (!onPick || fixed) {
    return (
      <div className={classes.row} data-rest={key === OTHER || undefined}>
        {content}
      </div>
    );
  }
  return (
    <UnstyledButton
      className={classes.row}
      data-active={active || undefined}
      aria-pressed={active}
      onClick={() => onPick(key)}
    >
      {content}
    </UnstyledButton>
  );
}

function changeText(change: number): string {
  return `${change > 0 ? '▲' : change < 0 ? '▼' : ''} ${formatPercent(Math.abs(change) / 100, 0)}`;
}
