import { Field, INTEGER, listOf, TEXT_OR_NULL } from '../../../common/http/api-field';
import { Bool, Identifier, Int, OneOf, Text } from '../../../common/validation/atoms';
import { NestedList } from '../../../common/validation/lists';
import { MAX_LOGO_BYTES, MAX_LOGO_PIXELS } from './logo';
import type { QrSettings } from './qr-settings.entity';
import { DEFAULT_STYLE, QR_SHAPES, type QrPreset, type QrShape, STYLE_FIELDS } from './qr-style';

const MAX_PRESETS = 20;
export const MAX_PRESET_NAME = 50;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const NAME = { description: 'Name, unique in any letter case', example: 'Posters' };
const WITH_LOGO = 'Whether the logo is in the middle, if the organization has one';
const IS_DEFAULT = 'Whether the preset applies to QR codes that name none; at most one preset is the default';

export class QrPresetFields implements QrPreset {
  @Identifier({ ...NAME, max: MAX_PRESET_NAME })
  name!: string;

  @OneOf(QR_SHAPES, { ...STYLE_FIELDS.shape, default: DEFAULT_STYLE.shape })
  shape: QrShape = DEFAULT_STYLE.shape;

  @Int({ ...STYLE_FIELDS.margin, default: DEFAULT_STYLE.margin })
  margin: number = DEFAULT_STYLE.margin;

  @Text({ ...STYLE_FIELDS.darkColor, example: '#1a56db', default: DEFAULT_STYLE.darkColor })
  darkColor: string = DEFAULT_STYLE.darkColor;

  @Text({ ...STYLE_FIELDS.lightColor, example: '#ffffff', default: DEFAULT_STYLE.lightColor })
  lightColor: string = DEFAULT_STYLE.lightColor;

  @Bool({ description: WITH_LOGO, example: false, default: DEFAULT_STYLE.logo })
  logo: boolean = DEFAULT_STYLE.logo;

  @Bool({ description: IS_DEFAULT, example: true, default: false })
  isDefault: boolean = false;
}

export class UpdateQrSettingsRequest {
  @NestedList(() => QrPresetFields, {
    max: MAX_PRESETS,
    description:
      'All presets; those that are left out are deleted. Codes that have been drawn stay as they are',
    example: [{ name: 'Posters', shape: 'rounded', darkColor: '#1a56db', isDefault: true }],
    optional: true,
  })
  presets?: QrPresetFields[] | null;

  @Text({
    max: 350_000,
    min: 1,
    pattern: BASE64,
    patternText: 'must be a PNG in Base64',
    description:
      `The logo: a PNG in Base64, not interlaced, of at most ${MAX_LOGO_BYTES / 1024} KiB and ${MAX_LOGO_PIXELS} × ` +
      `${MAX_LOGO_PIXELS} pixels; null: none`,
    example: LOGO,
    optional: true,
  })
  logo?: string | null;
}

export class QrPresetResponse implements QrPreset {
  @Field(NAME.description, NAME.example)
  name!: string;

  @Field(STYLE_FIELDS.shape.description, 'rounded', { enum: QR_SHAPES })
  shape!: QrShape;

  @Field(STYLE_FIELDS.margin.description, 4, INTEGER)
  margin!: number;

  @Field(STYLE_FIELDS.darkColor.description, '#1a56db')
  darkColor!: string;

  @Field(STYLE_FIELDS.lightColor.description, '#ffffff')
  lightColor!: string;

  @Field(WITH_LOGO, false)
  logo!: boolean;

  @Field(IS_DEFAULT, true)
  isDefault!: boolean;
}

export class QrSettingsResponse {
  @Field('Presets, in the order in which they were sent', undefined, listOf(QrPresetResponse))
  presets!: QrPresetResponse[];

  @Field('The logo: a PNG in Base64; null: none', LOGO, TEXT_OR_NULL)
  logo!: string | null;
}

export function toQrSettingsResponse({ presets, logo }: QrSettings): QrSettingsResponse {
  return { presets, logo: logo && logo.toString('base64') };
}
