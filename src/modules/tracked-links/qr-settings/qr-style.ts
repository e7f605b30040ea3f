export const QR_SHAPES = ['square', 'rounded', 'dots'] as const;
export type QrShape = (typeof QR_SHAPES)[number];

export interface QrStyle {
  readonly shape: QrShape;
  /** Quiet zone in modules. */
  readonly margin: number;
  /** `#rrggbb` or `#rrggbbaa`; parameters of a QR code may leave out the `#`. */
  readonly darkColor: string;
  readonly lightColor: string;
  /** Whether the logo of the organization is in the middle. */
  readonly logo: boolean;
}

export const DEFAULT_STYLE: QrStyle = {
  shape: 'square',
  margin: 4,
  darkColor: '#000000',
  lightColor: '#ffffff',
  logo: false,
};

export interface QrPreset extends QrStyle {
  readonly name: string;
  readonly isDefault: boolean;
}

const color = (description: string) => ({
  max: 9,
  pattern: /^#[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?$/,
  patternText: 'must be a colour such as #1a2b3c, or #1a2b3cff with its opacity',
  description,
});
/** Rules and descriptions of the fields of a style, in presets and in the parameters of a QR code. */
export const STYLE_FIELDS = {
  shape: {
    description: 'Shape of the modules; the finder and alignment patterns stay square',
    example: 'rounded',
  },
  margin: { min: 0, max: 16, description: 'Quiet zone, in modules', example: 4 },
  darkColor: color('Colour of the dark modules: `#rrggbb` or `#rrggbbaa`'),
  lightColor: color('Colour of the light modules and the quiet zone'),
} as const;
