import { formatNumber, formatPercent } from '../texts/format';
import { blankCanvas, fontOf } from './chart-canvas';
import { OTHER } from './filters';
import { PALETTES, type Scheme } from './palette';

const WIDTH = 720;
const HEAD = 48;
const ROW = 32;

/** The value of the widest bar, excluding the rest of a list, which would dwarf the others. */
export function largestOf(bars: readonly { key?: string; value: number }[]): number {
  return Math.max(1, ...bars.filter(({ key }) => key !== OTHER).map(({ value }) => value));
}

interface Drawn {
  readonly key?: string;
  readonly name: string;
  readonly value: number;
  readonly share: number | null;
}

/** Draws bars as an image. */
export function barsCanvas(title: string, bars: readonly Drawn[], scheme: Scheme): HTMLCanvasElement {
  const { canvas, context } = blankCanvas(WIDTH, HEAD + bars.length * ROW + 8, title, scheme);
  if (!context) return canvas;
  const { text, faint, shades } = PALETTES[scheme];
  const largest = largestOf(bars);
  context.textBaseline = 'middle';
  bars.forEach(({ key, name, value, share }, index) => {
    const top = HEAD + index * ROW;
    const middle = top + ROW / 2;
    context.fillStyle = shades[0];
    if (key !== OTHER) context.fillRect(12, top + 2, (WIDTH - 24) * (value / largest), ROW - 4);
    context.font = `14px ${fontOf()}`;
    context.textAlign = 'left';
    context.fillStyle = text;
    context.fillText(cut(context, name, WIDTH - 230), 20, middle);
    context.textAlign = 'right';
    context.fillText(formatNumber(value), WIDTH - 90, middle);
    context.fillStyle = faint;
    if (share !== null) context.fillText(formatPercent(share), WIDTH - 20, middle);
  });
  return canvas;
}

function cut(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  const letters = Array.from(text.slice(0, 200));
  while (letters.length > 0 && context.measureText(`${letters.join('')}…`).width > width) letters.pop();
  return `${letters.join('')}…`;
}
