import { create } from 'qrcode';
import type { QrShape } from '../qr-settings/qr-style';

/** Width of a finder pattern in modules. */
const FINDER = 7;
/** Row and column of the format, after which only alignment patterns are reserved. */
const FORMAT = 8;
/** Width of the space for the logo, of that of the code: 5 % of its area, of which level H restores much more. */
const LOGO_SHARE = 0.22;

export const CORNERS = { topLeft: 1, topRight: 2, bottomLeft: 4, bottomRight: 8 } as const;
const ALL_CORNERS = 15;

/** The modules of a QR code, without its quiet zone. */
export interface QrLayout {
  /** Modules in a row. */
  readonly across: number;
  /** Whether a module is dark; light outside of the code. */
  readonly isDark: (row: number, column: number) => boolean;
  /** The corners of a dark module that are round, with a radius of half a module. */
  readonly roundCorners: (row: number, column: number) => number;
  /** The square in the middle that is left to the logo, border included, in modules; null without a logo. */
  readonly logo: { readonly start: number; readonly across: number } | null;
}

export function layOut(text: string, shape: QrShape, hasLogo: boolean): QrLayout {
  const { modules } = create(text, { errorCorrectionLevel: hasLogo ? 'H' : 'M' });
  const across = modules.size;
  // A code has an odd number of modules in a row, so an odd number can be in its middle.
  const space = hasLogo ? 2 * Math.floor((across * LOGO_SHARE - 1) / 2) + 1 : 0;
  const start = (across - space) / 2;
  const isLogo = (i: number) => i >= start && i < start + space;
  const isDark = (row: number, column: number) =>
    Math.min(row, column) >= 0 &&
    Math.max(row, column) < across &&
    !(isLogo(row) && isLogo(column)) &&
    modules.get(row, column) === 1;
  // The patterns by which readers find the code: three finders, and the alignment patterns between them.
  const isSolid = (row: number, column: number) =>
    (row < FINDER && (column < FINDER || column >= across - FINDER)) ||
    (row >= across - FINDER && column < FINDER) ||
    (Math.min(row, column) > FORMAT && modules.isReserved(row, column) === 1);
  const roundCorners = (row: number, column: number) => {
    if (shape === 'square' || isSolid(row, column)) return 0;
    if (shape === 'dots') return ALL_CORNERS;
    const top = !isDark(row - 1, column);
    const bottom = !isDark(row + 1, column);
    const left = !isDark(row, column - 1);
    const right = !isDark(row, column + 1);
    return (
      (top && left ? CORNERS.topLeft : 0) |
      (top && right ? CORNERS.topRight : 0) |
      (bottom && left ? CORNERS.bottomLeft : 0) |
      (bottom && right ? CORNERS.bottomRight : 0)
    );
  };
  return { across, isDark, roundCorners, logo: hasLogo ? { start, across: space } : null };
}
