import { Field } from '../../../common/http/api-field';
import { OneOf, QueryBool, QueryInt, Text } from '../../../common/validation/atoms';

export const QR_FORMATS = ['png', 'svg'] as const;
export type QrFormat = (typeof QR_FORMATS)[number];

const color = (description: string, fallback: string) => ({
  max: 9,
  pattern: /^#?[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?$/,
  patternText: 'must be a colour such as #1a2b3c, or #1a2b3cff with its opacity',
  description,
  example: fallback,
  default: fallback,
});

export class QrQuery {
  @QueryInt({ min: 128, max: 2048, default: 512, description: 'Width and height in pixels', example: 512 })
  size: number = 512;

  @OneOf(QR_FORMATS, { default: 'png', description: 'Image format', example: 'png' })
  format: QrFormat = 'png';

  @QueryInt({ min: 0, max: 16, default: 4, description: 'Quiet zone, in modules', example: 4 })
  margin: number = 4;

  @Text(
    color(
      'Colour of the dark modules: `#rrggbb` or `#rrggbbaa`, with the `#` percent-encoded or omitted',
      '#000000',
    ),
  )
  darkColor: string = '#000000';

  @Text(color('Colour of the light modules and the quiet zone', '#ffffff'))
  lightColor: string = '#ffffff';

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
