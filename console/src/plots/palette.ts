/** Colours of plots, by Okabe and Ito, and by Tol, which colour-blind people can distinguish. */

export type Scheme = 'light' | 'dark';

interface Palette {
  readonly background: string;
  readonly text: string;
  /** Colour of axes and labels. */
  readonly faint: string;
  readonly line: string;
  /** Colours of series, in this order. */
  readonly series: readonly [string, string, string, string];
  /** Shades of a map or heat map, from lowest to highest. */
  readonly shades: readonly [string, ...string[]];
  /** Colour of countries and hours without a value. */
  readonly nothing: string;
}

export const PALETTES: Readonly<Record<Scheme, Palette>> = {
  light: {
    background: '#ffffff',
    text: '#212529',
    faint: '#5c636a',
    line: '#e3e6e9',
    series: ['#0072b2', '#d55e00', '#882255', '#332288'],
    shades: ['#d6e8f5', '#9bc8e6', '#56a3d3', '#1579b5', '#004c7f'],
    nothing: '#eef0f2',
  },
  dark: {
    background: '#242424',
    text: '#e9ecef',
    faint: '#adb5bd',
    line: '#3b3f44',
    series: ['#56b4e9', '#e69f00', '#f5f5f5', '#d55e00'],
    shades: ['#1f3a4d', '#27587a', '#3580ae', '#56b4e9', '#b5e0fb'],
    nothing: '#313336',
  },
};

/** Symbols of points, which distinguish series without colour. */
export const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond'] as const;
/** A compared series has the same colour, and dashes. */
export const COMPARED_DASH: readonly [number, number] = [5, 4];
