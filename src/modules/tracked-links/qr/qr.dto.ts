import { Field } from '../../../common/http/api-field';
import { OneOf, QueryBool, QueryInt, Text } from '../../../common/validation/atoms';
import { MAX_PRESET_NAME } from '../qr-settings/qr-settings.dto';
import { DEFAULT_STYLE, QR_SHAPES, type QrShape, STYLE_FIELDS } from '../qr-settings/qr-style';

export const QR_FORMATS = ['png', 'svg'] as const;
export type QrFormat = (typeof QR_FORMATS)[number];

/** Below it, readers fail at the codes of long addresses. */
export const MIN_SIZE_WITH_LOGO = 200;

const optional = true;
const COLOR = { pattern: /^#?[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?$/, optional };
const HASH = 'with the `#` percent-encoded or omitted';
/** Suffix of the descriptions of optional style fields: what applies without one. */
const otherwise = (fallback: unknown) => `default: that of the preset, or ${String(fallback)}`;

export class QrQuery {
  @QueryInt({
    min: 128,
    max: 2048,
    default: 512,
    description: `Width and height in pixels; at least ${MIN_SIZE_WITH_LOGO} with a logo`,
    example: 512,
  })
  size: number = 512;

  @OneOf(QR_FORMATS, { default: 'png', description: 'Image format', example: 'png' })
  format: QrFormat = 'png';

  @Text({
    max: MAX_PRESET_NAME,
    description:
      'Name of a preset of the organization, in any letter case; default: its default preset. VALIDATION_FAILED if there ' +
      'is none of that name. The other parameters take precedence over the preset',
    example: 'Posters',
    optional,
  })
  preset?: string | null;

  @OneOf(QR_SHAPES, {
    ...STYLE_FIELDS.shape,
    description: `${STYLE_FIELDS.shape.description}; ${otherwise(DEFAULT_STYLE.shape)}`,
    optional,
  })
  shape?: QrShape | null;

  @QueryInt({
    ...STYLE_FIELDS.margin,
    description: `${STYLE_FIELDS.margin.description}; ${otherwise(DEFAULT_STYLE.margin)}`,
    optional,
  })
  margin?: number | null;

  @Text({
    ...STYLE_FIELDS.darkColor,
    ...COLOR,
    description: `${STYLE_FIELDS.darkColor.description}, ${HASH}; ${otherwise(DEFAULT_STYLE.darkColor)}`,
    example: '#1a56db',
  })
  darkColor?: string | null;

  @Text({
    ...STYLE_FIELDS.lightColor,
    ...COLOR,
    description: `${STYLE_FIELDS.lightColor.description}; ${otherwise(DEFAULT_STYLE.lightColor)}`,
    example: '#ffffff',
  })
  lightColor?: string | null;

  @QueryBool({
    description:
      `Whether the logo of the organization is in the middle, with error correction level H; ${otherwise(false)}. ` +
      'VALIDATION_FAILED if true and the organization has none',
    example: false,
    optional,
  })
  logo?: boolean | null;

  @QueryBool({
    default: true,
    description:
      'Whether the image encodes the address with `?qr=1`, by which scans are counted as channel `qr`',
    example: true,
  })
  scan: boolean = true;
}

export class QrResponse {
  @Field('The image in Base64', 'iVBORw0KGgoAAAANSUhEUgAA')
  qrCode!: string;

  @Field('The complete URL, without the `?qr=1` of the image', 'https://go.example.com/aZ3kQ9x')
  shortUrl!: string;

  @Field('The same, under the name used in all responses', 'https://go.example.com/aZ3kQ9x', {
    format: 'uri',
  })
  link!: string;
}
