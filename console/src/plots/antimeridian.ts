import type { Geometry, Position } from 'geojson';

/** Moves a shape that crosses the antimeridian, such as Russia, to the eastern side, because a plane would split it. */
export function unwrapped(geometry: Geometry): Geometry {
  if (geometry.type === 'Polygon') {
    const [coordinates = []] = shifted([geometry.coordinates]);
    return { ...geometry, coordinates };
  }
  if (geometry.type === 'MultiPolygon') return { ...geometry, coordinates: shifted(geometry.coordinates) };
  return geometry;
}

function shifted(polygons: Position[][][]): Position[][][] {
  if (!polygons.flat().some(crosses)) return polygons;
  return polygons.map((rings) => rings.map((ring) => ring.map(([x = 0, y = 0]) => [x < 0 ? x + 360 : x, y])));
}

function crosses(ring: Position[]): boolean {
  return ring.some(([x = 0], index) => Math.abs(x - (ring[index - 1]?.[0] ?? x)) > 180);
}
