import { ApiProperty } from '@nestjs/swagger';
import { Nested, Text } from '../../../common/validation/atoms';
import { DeviceInfoRequest } from '../../sessions/device-info.dto';
import { EndUserFields } from '../../sessions/end-user.dto';
import { CampaignReference } from '../deep-links/deep-link.dto';

const optional = true;

class RecordClickRequest extends EndUserFields {
  @Nested(() => DeviceInfoRequest, { description: 'Device, as reported by the app', optional })
  deviceInfo?: DeviceInfoRequest | null;
}

export class RecordUrlClickRequest extends RecordClickRequest {
  @Text({ max: 101, description: 'Short code, or `<app path>/<short code>`', example: 'spring-sale' })
  shortCode!: string;

  @Text({
    max: 100,
    description: 'Password, if the link has one',
    example: 'open sesame',
    optional,
  })
  password?: string | null;
}

export class RecordCampaignClickRequest extends RecordClickRequest {
  @Text({ max: 50, description: 'Alias of the campaign', example: 'spring-sale' })
  campaignAlias!: string;

  @Text({ max: 100, description: 'Alias of the tracker', example: 'poster', optional })
  trackerAlias?: string | null;

  @Text({ max: 100, description: 'The customer', example: 'customer-42', optional })
  customId?: string | null;
}

class ClickResponse {
  @ApiProperty({ description: 'true', example: true })
  success!: true;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    required: false,
    description: 'Id of the click; absent when it was filtered',
    example: 4711,
  })
  clickId?: number;

  @ApiProperty({
    description: 'Whether the click does not count because the same address clicked a moment ago',
    example: false,
  })
  filtered!: boolean;
}

export class UrlClickResponse extends ClickResponse {
  @ApiProperty({ description: 'Destination', example: 'https://shop.example.com/products/42' })
  originalUrl!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Destination of phones without the app',
    example: 'https://m.shop.example.com/products/42',
  })
  mobileTargetUrl!: string | null;
}

export class CampaignClickResponse extends ClickResponse {
  @ApiProperty({ type: CampaignReference, description: 'The campaign' })
  campaign!: CampaignReference;

  @ApiProperty({
    description: 'Where a redirect would send a phone, with the utm values of the campaign',
    example: 'https://shop.example.com/autumn?utm_source=app',
  })
  redirectUrl!: string;
}
