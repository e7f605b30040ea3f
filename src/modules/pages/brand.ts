import type { Brand } from '../../access/organizations/organization-cache';
import { pictureAddress, displayText } from '../../common/display-text';
import { contrast, isColor } from './contrast';

/** A brand colour adapted to a background. */
interface Accent {
  readonly fill: string;
  /** Text colour on `fill`. */
  readonly on: string;
  /** Colour of elements that must stand out from the background: `fill`, unless its contrast is too low. */
  readonly mark: string;
}

/** A brand as shown on pages, sanitized whatever is stored. */
export interface PageBrand {
  readonly name: string | null;
  readonly logo: string | null;
  readonly accents: { readonly light: Accent; readonly dark: Accent } | null;
}

export const UNBRANDED: PageBrand = { name: null, logo: null, accents: null };

/** Must equal `--card` and `--text` in `layout/head.eta`. */
const LIGHT = { card: '#ffffff', text: '#15191d' };
const DARK = { card: '#1a1f24', text: '#eef1f4' };
/** Minimum contrast between a control and its surroundings, according to WCAG 2.2. */
const LEAST_CONTRAST = 3;

export function pageBrand({ name, logoUrl, color }: Brand): PageBrand {
  return {
    name: displayText(name, 100),
    logo: pictureAddress(logoUrl),
    accents:
      color !== null && isColor(color) ? { light: accent(color, LIGHT), dark: accent(color, DARK) } : null,
  };
}

function accent(fill: string, { card, text }: typeof LIGHT): Accent {
  return {
    fill,
    on: contrast(fill, '#ffffff') >= contrast(fill, '#000000') ? '#ffffff' : '#000000',
    mark: contrast(fill, card) >= LEAST_CONTRAST ? fill : text,
  };
}
