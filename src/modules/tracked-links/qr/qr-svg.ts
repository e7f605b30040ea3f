import { CORNERS, type QrLayout } from './qr-layout';
import type { QrDrawing } from './qr-png';

/** Corners clockwise from the middle of the upper side, which `round` and `sharp` go around by half a module. */
const PATH = [
  { corner: CORNERS.topRight, round: 'a.5.5 0 0 1 .5 .5', sharp: 'h.5v.5' },
  { corner: CORNERS.bottomRight, round: 'a.5.5 0 0 1-.5 .5', sharp: 'v.5h-.5' },
  { corner: CORNERS.bottomLeft, round: 'a.5.5 0 0 1-.5-.5', sharp: 'h-.5v-.5' },
  { corner: CORNERS.topLeft, round: 'a.5.5 0 0 1 .5-.5', sharp: 'v-.5h.5' },
];

/** A QR code as an SVG. All modules are one path, so that no seams show between them. */
export function qrSvg(layout: QrLayout, { size, margin, darkColor, lightColor, logo }: QrDrawing): string {
  const across = layout.across + 2 * margin;
  const indices = [...Array(layout.across).keys()];
  const modules = indices.flatMap((row) =>
    indices
      .filter((column) => layout.isDark(row, column))
      .map((column) => modulePath(margin + row, margin + column, layout.roundCorners(row, column))),
  );
  const box = layout.logo && { at: margin + layout.logo.start + 0.5, side: layout.logo.across - 1 };
  const image =
    box && logo
      ? `<image x="${box.at}" y="${box.at}" width="${box.side}" height="${box.side}" href="data:image/png;base64,${logo.toString('base64')}"/>`
      : '';
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${across} ${across}">` +
    `<path ${fill(lightColor)} d="M0 0h${across}v${across}H0z"/>` +
    `<path ${fill(darkColor)} d="${modules.join('')}"/>${image}</svg>`
  );
}

function modulePath(row: number, column: number, corners: number): string {
  if (corners === 0) return `M${column} ${row}h1v1h-1z`;
  return `M${column + 0.5} ${row}${PATH.map(({ corner, round, sharp }) => (corners & corner ? round : sharp)).join('')}z`;
}

function fill(color: string): string {
  const [, rgb, opacity = 'ff'] = /^#?(.{6})(..)?$/.exec(color) ?? [];
  return `fill="#${rgb}" fill-opacity="${Number((parseInt(opacity, 16) / 255).toFixed(3))}"`;
}
