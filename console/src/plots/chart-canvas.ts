import type { EChartsType } from 'echarts/core';
import { LEGEND_SIZE, type LegendEntry, LINE } from './legend';
import { PALETTES, type Scheme } from './palette';

const SCALE = 2;
const HEAD = 40;
const LEGEND = { row: 24, column: 220 };

/** Draws a chart with title and legend as an image. */
export function chartCanvas(
  chart: EChartsType | null,
  title: string,
  scheme: Scheme,
  legend: readonly LegendEntry[],
): HTMLCanvasElement | null {
  if (!chart) return null;
  const { background } = PALETTES[scheme];
  const drawn = chart.renderToCanvas({ pixelRatio: SCALE, backgroundColor: background });
  const [width, height] = [chart.getWidth(), chart.getHeight()];
  const columns = Math.max(1, Math.floor(width / LEGEND.column));
  const top = HEAD + Math.ceil(legend.length / columns) * LEGEND.row;
  const { canvas, context } = blankCanvas(width, top + height, title, scheme);
  legend.forEach((entry, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    if (context) drawEntry(context, entry, 16 + column * LEGEND.column, HEAD + row * LEGEND.row, scheme);
  });
  context?.drawImage(drawn, 0, top, width, height);
  return canvas;
}

function drawEntry(
  context: CanvasRenderingContext2D,
  { name, color, line, shape }: LegendEntry,
  x: number,
  y: number,
  scheme: Scheme,
): void {
  context.save();
  context.translate(x, y);
  context.fillStyle = context.strokeStyle = color;
  context.lineWidth = 2;
  if (line) {
    context.setLineDash([...line]);
    context.stroke(new Path2D(LINE));
  }
  if (shape) {
    context.setLineDash([]);
    context.fill(new Path2D(shape));
    context.stroke(new Path2D(shape));
  }
  context.fillStyle = PALETTES[scheme].text;
  context.font = `12px ${fontOf()}`;
  context.textBaseline = 'middle';
  context.fillText(name, LEGEND_SIZE.width + 6, LEGEND_SIZE.height / 2, LEGEND.column - 60);
  context.restore();
}

/** An empty image with a title. */
export function blankCanvas(width: number, height: number, title: string, scheme: Scheme) {
  const { background, text } = PALETTES[scheme];
  const canvas = document.createElement('canvas');
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  const context = canvas.getContext('2d');
  if (context) {
    context.scale(SCALE, SCALE);
    context.fillStyle = background;
    context.fillRect(0, 0, width, height);
    context.fillStyle = text;
    context.font = `600 16px ${fontOf()}`;
    context.fillText(title, 16, 26, width - 32);
  }
  return { canvas, context };
}

export function fontOf(): string {
  return getComputedStyle(document.body).fontFamily;
}
