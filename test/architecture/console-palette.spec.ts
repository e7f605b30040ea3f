import { PALETTES, type Scheme } from '../../console/src/plots/palette';

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** Simulation of colour blindness: Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB. */
const SIGHTS: Record<string, Matrix> = {
  'full colour vision': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Far above 2.3, the smallest difference that people notice between adjacent colours. */
const MIN_DIFFERENCE = 18;
/** Adjacent shades of a map differ in lightness, which everybody can see. */
const MIN_LIGHTNESS_STEP = 8;

const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

function linearRgb(hex: string): Triple {
  const channel = (at: number) => linear(parseInt(hex.slice(at, at + 2), 16) / 255);
  return [channel(1), channel(3), channel(5)];
}

const dot = (row: Triple, [a, b, c]: Triple) => row[0] * a + row[1] * b + row[2] * c;

function seen(color: Triple, sight: Matrix): Triple {
  const channel = (row: Triple) => Math.min(1, Math.max(0, dot(row, color)));
  return [channel(sight[0]), channel(sight[1]), channel(sight[2])];
}

const luminance = (color: Triple) => dot([0.2126, 0.7152, 0.0722], color);

/** CIE L*a*b* of linear sRGB, white point D65. */
function lab(color: Triple): Triple {
  const curve = (t: number) => (t > 216 / 24_389 ? Math.cbrt(t) : ((24_389 / 27) * t + 16) / 116);
  const x = curve(dot([0.4124564, 0.3575761, 0.1804375], color) / 0.95047);
  const y = curve(dot([0.2126729, 0.7151522, 0.072175], color));
  const z = curve(dot([0.0193339, 0.119192, 0.9503041], color) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** ΔE of 1976. */
function difference(a: string, b: string, sight: Matrix): number {
  const [l, m] = [lab(seen(linearRgb(a), sight)), lab(seen(linearRgb(b), sight))];
  return Math.hypot(l[0] - m[0], l[1] - m[1], l[2] - m[2]);
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(linearRgb(a)) + 0.05, luminance(linearRgb(b)) + 0.05];
  return Math.max(x, y) / Math.min(x, y);
}

const pairs = (colors: readonly string[]) =>
  colors.flatMap((a, index) => colors.slice(index + 1).map((b) => [a, b] as const));

describe.each<Scheme>(['light', 'dark'])('the palette of plots, %s', (scheme) => {
  const { background, text, faint, series, shades, nothing } = PALETTES[scheme];

  it.each(Object.keys(SIGHTS))('has series that differ with %s', (sight) => {
    const alike = pairs(series)
      .map(([a, b]) => `${a} ${b} ${difference(a, b, SIGHTS[sight] as Matrix).toFixed(1)}`)
      .filter((pair) => Number(pair.split(' ')[2]) < MIN_DIFFERENCE);
    expect(alike).toEqual([]);
  });

  it.each(Object.keys(SIGHTS))('has shades that grow lighter or darker with %s', (sight) => {
    const lightness = shades.map((color) => lab(seen(linearRgb(color), SIGHTS[sight] as Matrix))[0]);
    const direction = scheme === 'light' ? -1 : 1;
    const steps = lightness.slice(1).map((value, index) => (value - (lightness[index] ?? value)) * direction);
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(MIN_LIGHTNESS_STEP);
  });

  it('stands out from its background: lines 3 to 1, texts 4.5 to 1', () => {
    for (const color of series) expect(contrast(color, background)).toBeGreaterThanOrEqual(3);
    for (const color of [text, faint]) expect(contrast(color, background)).toBeGreaterThanOrEqual(4.5);
  });

  it('tells the least shade from none', () => {
    for (const sight of Object.values(SIGHTS)) {
      expect(difference(shades[0], nothing, sight)).toBeGreaterThanOrEqual(5);
    }
  });
});
