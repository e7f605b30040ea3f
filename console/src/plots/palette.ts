/** Colours of plots: those of Okabe and Ito, and of Tol, that keep apart for colour-blind people. */

export type Scheme = 'light' | 'dark';

interface Palette {
  /** What the plots stand on. */
  readonly background: string;
  readonly text: string;
  /** Axes and labels. */
  readonly faint: string;
  readonly line: string;
  /** Series, in this order. */
  readonly series: readonly [string, string, string, string];
  /** Shades of a map or heat map, from the least to the most. */
  readonly shades: readonly [string, ...string[]];
  /** Countries and hours without a value. */
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

/** What tells series apart without colour: the symbol of their points. */
export const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond'] as const;
/** A compared series has the colour of its own, and dashes. */
export const COMPARED_DASH: readonly [number, number] = [5, 4];
