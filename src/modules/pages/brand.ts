import type { Brand } from '../../access/organizations/organization-cache';
import { pictureAddress, shownText } from '../../common/shown';
import { contrast, isColor } from './contrast';

/** A brand's colour where it is used on one background. */
interface Accent {
  readonly fill: string;
  /** Text on `fill`. */
  readonly on: string;
  /** What has to be told from the background: `fill`, unless that is too close to it. */
  readonly mark: string;
}

/** A brand as pages show it: nothing in it is trusted, whatever the database holds. */
export interface ShownBrand {
  readonly name: string | null;
  readonly logo: string | null;
  readonly accents: { readonly light: Accent; readonly dark: Accent } | null;
}

export const UNBRANDED: ShownBrand = { name: null, logo: null, accents: null };

/** `--card` and `--text` of `layout/head.eta`. */
const LIGHT = { card: '#ffffff', text: '#15191d' };
const DARK = { card: '#1a1f24', text: '#eef1f4' };
/** WCAG 2.2 asks for this between a control and what is around it. */
const LEAST_CONTRAST = 3;

export function shownBrand({ name, logoUrl, color }: Brand): ShownBrand {
  return {
    name: shownText(name, 100),
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
