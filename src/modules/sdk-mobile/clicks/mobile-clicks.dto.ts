import { INT64, TEXT_OR_NULL, Field } from '../../../common/http/api-field';
import { Bool, Nested, Text } from '../../../common/validation/atoms';
import { MAX_LEGACY_CODE, MAX_WORD } from '../../domains/codes';
import { DeviceInfoRequest } from '../../sessions/device-info.dto';
import { EndUserFields } from '../../sessions/end-user.dto';
import { CampaignReference } from '../deep-link.dto';

const optional = true;

class RecordClickRequest extends EndUserFields {
  @Nested(() => DeviceInfoRequest, { description: 'Device, as reported by the app', optional })
  deviceInfo?: DeviceInfoRequest | null;

  @Text({
    max: 200,
    description:
      'Your own id of the click: a call repeated with it within seven days counts once. Where de-duplication is on, its ' +
      'time applies instead',
    example: '019aa0b4-6d3f-7c1e-9a52-3f8e6d1c2b4a',
    optional,
  })
  requestId?: string | null;

  @Bool({
    description:
      'Whether the address had `qr=1`: the click has the channel `qr` then, unless it has a tracker',
    example: true,
    optional,
  })
  scanned?: boolean | null;

  @Text({
    max: 100,
    description: 'Password, if the link has one',
    example: 'open sesame',
    optional,
  })
  password?: string | null;
}

export class RecordUrlClickRequest extends RecordClickRequest {
  @Text({
    max: MAX_WORD + 1 + MAX_LEGACY_CODE,
    description: 'Short code, or `<app path>/<short code>`',
    example: 'spring-sale',
  })
  shortCode!: string;
}

export class RecordCampaignClickRequest extends RecordClickRequest {
  @Text({ max: MAX_LEGACY_CODE, description: 'Alias of the campaign', example: 'spring-sale' })
  campaignAlias!: string;

  @Text({ max: 100, description: 'Alias of the tracker', example: 'poster', optional })
  trackerAlias?: string | null;

  @Text({ max: 100, description: 'The customer', example: 'customer-42', optional })
  customId?: string | null;
}

class ClickResponse {
  @Field('true', true)
  success!: true;

  @Field('Id of the click; absent when it was filtered', 4711, { ...INT64, required: false })
  clickId?: number;

  @Field('Whether the click does not count because the same address clicked a moment ago', false)
  filtered!: boolean;
}

export class UrlClickResponse extends ClickResponse {
  @Field('Destination', 'https://shop.example.com/products/42')
  originalUrl!: string;

  @Field('Destination of phones without the app', 'https://m.shop.example.com/products/42', TEXT_OR_NULL)
  mobileTargetUrl!: string | null;
}

export class CampaignClickResponse extends ClickResponse {
  @Field('The campaign', undefined, { type: CampaignReference })
  campaign!: CampaignReference;

  @Field(
    'Where a redirect would send a phone, with the utm values of the campaign',
    'https://shop.example.com/autumn?utm_source=app',
  )
  redirectUrl!: string;
}
