import { useEffect, useMemo } from 'react';
import { countryName } from '../texts/format';
import { fontOf } from './chart-canvas';
import { Chart, type ChartProps } from './chart';
import { naturalEarth } from './natural-earth';
import { PALETTES, type Scheme } from './palette';
import { tipOf } from './time-series-option';
import { DRAWN, WORLD } from './world';

interface Props extends Omit<ChartProps, 'option'> {
  /** By country code. */
  values: ReadonlyMap<string, number>;
  /** What is counted. */
  measure: string;
  scheme: Scheme;
  active: ReadonlySet<string>;
  /** Called with the countries on the map. */
  onDrawn: (codes: ReadonlySet<string>) => void;
}

/** The map with its library and shapes. Loaded lazily by `world-map.tsx`. */
export function WorldChart({ values, measure, scheme, active, onDrawn, ...chart }: Props) {
  useEffect(() => {
    onDrawn(DRAWN);
  }, [onDrawn]);
  const option = useMemo(() => {
    const palette = PALETTES[scheme];
    const border = { borderColor: palette.background, borderWidth: 0.6 };
    const marked = { borderColor: palette.text, borderWidth: 1.5 };
    return {
      tooltip: {
        trigger: 'item',
        confine: true,
        transitionDuration: 0,
        backgroundColor: palette.background,
        borderColor: palette.line,
        textStyle: { color: palette.text, fontFamily: fontOf(), fontSize: 13 },
        formatter: ({ name }: { name: string }) =>
          name && tipOf(countryName(name), [{ name: measure, value: values.get(name) ?? 0 }]),
      },
      visualMap: {
        show: false,
        min: 0,
        max: Math.sqrt(Math.max(1, ...values.values())),
        inRange: { color: palette.shades },
      },
      series: [
        {
          type: 'map',
          map: WORLD,
          projection: naturalEarth,
          left: 0,
          right: 0,
          top: 0,
          bottom: 0,
          selectedMode: false,
          itemStyle: { areaColor: palette.nothing, ...border },
          emphasis: { label: { show: false }, itemStyle: { areaColor: 'inherit', ...marked } },
          // By square root, so that one large country does not make all others look alike.
          data: [...values]
            .filter(([, value]) => value > 0)
            .map(([name, value]) => ({
              name,
              value: Math.sqrt(value),
              ...(active.has(name) && { itemStyle: marked }),
            })),
        },
      ],
    };
  }, [values, measure, scheme, active]);
  return <Chart {...chart} option={option} />;
}
