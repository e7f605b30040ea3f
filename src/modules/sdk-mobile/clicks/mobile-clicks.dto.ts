import { ApiProperty } from '@nestjs/swagger';
import { Nested, Text } from '../../../common/validation/atoms';
import { DeviceInfoRequest } from '../../sessions/device-info.dto';
import { EndUserFields } from '../../sessions/end-user.dto';
import { CampaignReference } from '../deep-links/deep-link.dto';

const optional = true;

class RecordClickRequest extends EndUserFields {
  @Nested(() => DeviceInfoRequest, { description: 'What the app tells of the device', optional })
  deviceInfo?: DeviceInfoRequest | null;
}

export class RecordUrlClickRequest extends RecordClickRequest {
  @Text({ max: 101, description: 'Short code, or `<app path>/<short code>`', example: 'spring-sale' })
  shortCode!: string;

  @Text({
    max: 100,
    description: 'Password of a link that has one',
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
    description: 'Id of the click; not there when it was filtered',
    example: 4711,
  })
  clickId?: number;

  @ApiProperty({
    description: 'Whether it does not count, as this address has clicked there a moment ago',
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
    description: 'Where phones without the app go',
    example: 'https://m.shop.example.com/products/42',
  })
  mobileTargetUrl!: string | null;
}

export class CampaignClickResponse extends ClickResponse {
  @ApiProperty({ type: CampaignReference, description: 'The campaign' })
  campaign!: CampaignReference;

  @ApiProperty({
    description: 'Where a redirect would lead a phone, with the utm values of the campaign',
    example: 'https://shop.example.com/autumn?utm_source=app',
  })
  redirectUrl!: string;
}
