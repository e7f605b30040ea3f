import codes from 'i18n-iso-countries/codes.json';
import { feature } from 'topojson-client';
import { unwrapped } from './antimeridian';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'world-atlas/countries-110m.json';
import { echarts } from './echarts';

/** Name of the map in ECharts. */
export const WORLD = 'world';

/** Omitted, because it is uninhabited and would take a fifth of the map. */
const ANTARCTICA = 'AQ';

/** Codes of the countries on the map, which lacks the smallest ones. */
export const DRAWN: ReadonlySet<string> = register();

function register(): ReadonlySet<string> {
  const alpha2 = new Map(codes.map(([short = '', , numeric = '']) => [numeric, short]));
  const world = atlas as unknown as Topology<{ countries: GeometryCollection }>;
  const { features } = feature(world, world.objects.countries);
  const shown = features
    .map(({ id, geometry }) => ({
      type: 'Feature',
      geometry: unwrapped(geometry),
      properties: { name: alpha2.get(String(id)) ?? '' },
    }))
    .filter(({ properties }) => properties.name !== ANTARCTICA);
  echarts.registerMap(WORLD, { type: 'FeatureCollection', features: shown } as never);
  return new Set(shown.map(({ properties }) => properties.name));
}
