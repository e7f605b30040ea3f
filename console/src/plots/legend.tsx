import { Group, Text } from '@mantine/core';
import { useTexts } from '../texts/texts';
import { COMPARED_DASH, PALETTES, type Scheme, SYMBOLS } from './palette';
import { plotTexts } from './texts';
import type { Measure } from './types';

const SHAPES = {
  circle: <circle cx="12" cy="6" r="4" />,
  rect: <rect x="8.5" y="2.5" width="7" height="7" />,
  triangle: <path d="M12 1.5 16.5 10h-9z" />,
  diamond: <path d="M12 1l5 5-5 5-5-5z" />,
};

interface Props {
  measures: readonly Measure[];
  scheme: Scheme;
}

/** Which line is which: its colour, its symbol, its dashes. */
export function Legend({ measures, scheme }: Props) {
  const t = useTexts(plotTexts);
  const { series } = PALETTES[scheme];
  if (measures.length === 1 && !measures[0]?.compared) return null;
  return (
    <Group gap="md" mb={4}>
      {measures.map(({ name, compared }, index) => {
        const color = series[index % series.length];
        return [
          <Entry key={name} name={name}>
            <g fill={color} stroke={color} strokeWidth="2">
              <path d="M0 6h24" />
              {SHAPES[SYMBOLS[index % SYMBOLS.length] ?? 'circle']}
            </g>
          </Entry>,
          compared && (
            <Entry key={`${name} compared`} name={t('compared', { name })}>
              <path d="M0 6h24" stroke={color} strokeWidth="2" strokeDasharray={COMPARED_DASH.join(' ')} />
            </Entry>
          ),
        ];
      })}
    </Group>
  );
}

function Entry({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <Group gap={6} wrap="nowrap">
      <svg width="24" height="12" aria-hidden>
        {children}
      </svg>
      <Text size="xs">{name}</Text>
    </Group>
  );
}
