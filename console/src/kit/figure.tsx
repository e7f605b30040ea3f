import { Group, Paper, Text } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import { formatNumber, formatPercent } from '../texts/format';

interface Props {
  label: string;
  value: number | string;
  /** The value to compare with. */
  before?: number | undefined;
  beforeLabel?: string;
  /** A line below it. */
  note?: string | undefined;
  /** How numbers are written; default: with thousands separators. */
  format?: (value: number) => string;
}

/** A figure on a card, with its change. */
export function Figure({ label, value, before, beforeLabel, note, format = formatNumber }: Props) {
  const change =
    typeof value === 'number' && before !== undefined && before > 0 ? (value - before) / before : null;
  const shown = typeof value === 'number' ? format(value) : value;
  const Arrow = change !== null && change < 0 ? IconArrowDownRight : IconArrowUpRight;
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'md' }} miw={0} style={{ containerType: 'inline-size' }}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Group gap="xs" align="baseline">
        {/* Long figures use a smaller font, so that they are not cut off. */}
        <Text
          className="numbers"
          fz={`clamp(0.75rem, ${Math.floor(150 / Math.max(shown.length, 1))}cqi, 1.75rem)`}
          fw={700}
          lh={1.2}
        >
          {shown}
        </Text>
        {change !== null && change !== 0 && (
          <Group gap={2} c={change < 0 ? 'var(--waypost-worse)' : 'var(--waypost-better)'}>
            <Arrow size={16} aria-hidden />
            <Text size="sm" className="numbers">
              {formatPercent(Math.abs(change))}
            </Text>
          </Group>
        )}
      </Group>
      {note !== undefined && (
        <Text size="sm" className="numbers">
          {note}
        </Text>
      )}
      {before !== undefined && beforeLabel !== undefined && (
        <Text size="xs" c="dimmed" className="numbers">
          {beforeLabel}: {format(before)}
        </Text>
      )}
    </Paper>
  );
}
