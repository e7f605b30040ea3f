import { Group, Text } from '@mantine/core';
import { formatShort } from '../texts/format';
import { COMPARED_DASH, PALETTES, type Scheme, SYMBOLS } from './palette';
import type { Measure } from './types';

/** Meaning of a colour, symbol and dash pattern, on the page and in images. */
export interface LegendEntry {
  readonly name: string;
  readonly color: string;
  /** Dash pattern of the line; absent for a solid one. */
  readonly line?: readonly number[];
  /** SVG path of the symbol. */
  readonly shape?: string;
}

export const LEGEND_SIZE = { width: 24, height: 12 };
export const LINE = 'M0 6h24';
const SHAPES = {
  circle: 'M8 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0',
  rect: 'M8.5 2.5h7v7h-7z',
  triangle: 'M12 1.5 16.5 10h-9z',
  diamond: 'M12 1l5 5-5 5-5-5z',
};
const AREA = 'M0 1h24v10h-24z';

/** Legend of the lines; empty for a single line. @param comparedName name of the compared range */
export function legendOf(
  measures: readonly Measure[],
  scheme: Scheme,
  comparedName: (name: string) => string,
): LegendEntry[] {
  const { series, text } = PALETTES[scheme];
  if (measures.length === 1 && !measures[0]?.compared) return [];
  return measures.flatMap(({ name, compared }, index): LegendEntry[] => {
    const color = series[index % series.length] ?? text;
    const own = { name, color, line: [], shape: SHAPES[SYMBOLS[index % SYMBOLS.length] ?? 'circle'] };
    return compared ? [own, { name: comparedName(name), color, line: COMPARED_DASH }] : [own];
  });
}

/** Legend of the lightest and darkest shade. */
export function shadesLegend(scheme: Scheme, nothing: string, largest: number): LegendEntry[] {
  const { nothing: blank, shades } = PALETTES[scheme];
  return [
    { name: nothing, color: blank, shape: AREA },
    { name: formatShort(1), color: shades[0], shape: AREA },
    { name: formatShort(largest), color: shades.at(-1) ?? shades[0], shape: AREA },
  ];
}

export function Legend({ entries }: { entries: readonly LegendEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <Group gap="md" mb={4}>
      {entries.map(({ name, color, line, shape }) => (
        <Group key={name} gap={6} wrap="nowrap">
          <svg {...LEGEND_SIZE} aria-hidden>
            {line && <path d={LINE} stroke={color} strokeWidth="2" strokeDasharray={line.join(' ')} />}
            {shape && <path d={shape} fill={color} stroke={color} strokeWidth="2" />}
          </svg>
          <Text size="xs">{name}</Text>
        </Group>
      ))}
    </Group>
  );
}
