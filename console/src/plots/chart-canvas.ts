import type { EChartsType } from 'echarts/core';
import { PALETTES, type Scheme } from './palette';

const SCALE = 2;
const HEAD = 40;

/** A chart as a picture, below its title. */
export function chartCanvas(
  chart: EChartsType | null,
  title: string,
  scheme: Scheme,
): HTMLCanvasElement | null {
  if (!chart) return null;
  const { background } = PALETTES[scheme];
  const drawn = chart.renderToCanvas({ pixelRatio: SCALE, backgroundColor: background });
  const { canvas, context } = blankCanvas(chart.getWidth(), chart.getHeight() + HEAD, title, scheme);
  context?.drawImage(drawn, 0, HEAD, chart.getWidth(), chart.getHeight());
  return canvas;
}

/** An empty picture with a title. */
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
