type Point = [number, number];

const RADIANS = Math.PI / 180;

/**
 * The Natural Earth projection (T. Patterson, B. Šavrič) for ECharts, from degrees to a plane whose y axis points down.
 */
export const naturalEarth = {
  project([longitude, latitude]: Point): Point {
    const phi = latitude * RADIANS;
    return [longitude * RADIANS * widthAt(phi), -heightAt(phi)];
  },
  unproject([x, y]: Point): Point {
    let phi = -y;
    for (let step = 0; step < 25; step += 1) {
      const correction = (heightAt(phi) + y) / slopeAt(phi);
      phi -= correction;
      if (Math.abs(correction) < 1e-6) break;
    }
    return [x / widthAt(phi) / RADIANS, phi / RADIANS];
  },
};

function widthAt(phi: number): number {
  const p2 = phi ** 2;
  const p4 = p2 ** 2;
  return 0.8707 - 0.131979 * p2 + p4 * (-0.013791 + p4 * (0.003971 * p2 - 0.001529 * p4));
}

function heightAt(phi: number): number {
  const p2 = phi ** 2;
  const p4 = p2 ** 2;
  return phi * (1.007226 + p2 * (0.015085 + p4 * (-0.044475 + 0.028874 * p2 - 0.005916 * p4)));
}

function slopeAt(phi: number): number {
  const p2 = phi ** 2;
  const p4 = p2 ** 2;
  return 1.007226 + p2 * (0.045255 + p4 * (-0.311325 + 0.259866 * p2 - 0.065076 * p4));
}
