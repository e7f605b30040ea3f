import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { Bool, DateText, Int, OneOf, PathId, Text } from '../../common/validation/atoms';
import { type Plan, PLANS } from '../caller';
import { BrandColor, BrandName, CurrencyCode, LogoUrl, RegionCode, TimeZoneName } from './organization.atoms';
import type { Organization } from './organization.entity';

export class OrganizationPath {
  @PathId({ description: 'Id of the organization' })
  orgId!: number;
}

const NAME = { max: 100, description: 'Display name', example: 'Acme' };
const optional = true;

class OrganizationSettings {
  @BrandName({
    description: 'Name that visitors read on pages and opt-out pages, up to 100 characters; null: `name`',
    example: 'Acme',
    optional,
  })
  brandName?: string | null;

  @LogoUrl({
    description:
      'Picture that pages show in place of the name, at most 48 px high: an https address that everybody can ' +
      'load, and a picture that reads well on white; null: none',
    example: 'https://cdn.example.com/logo.svg',
    optional,
  })
  logoUrl?: string | null;

  @BrandColor({
    description:
      'Colour of buttons on pages as `#rrggbb`; their text is black or white, whichever reads better. null: none',
    example: '#1a56db',
    optional,
  })
  brandColor?: string | null;

  @TimeZoneName({
    description: 'IANA time zone of reports; UTC for a new organization',
    example: 'Asia/Seoul',
    optional,
  })
  timeZone?: string | null;

  @CurrencyCode({
    description: 'ISO 4217 currency of revenue; USD for a new organization',
    example: 'KRW',
    optional,
  })
  baseCurrency?: string | null;

  @RegionCode({
    description: 'ISO 3166-1 country by which phone numbers are read; US for a new organization',
    example: 'KR',
    optional,
  })
  defaultRegion?: string | null;

  @Bool({
    description:
      "Whether links and campaigns that say nothing else append a click's `waypost-token` to their destination, by " +
      'which the Web SDK finds the click; false for a new organization. Takes up to ten minutes to show',
    example: false,
    optional,
  })
  appendClickId?: boolean | null;

  @OneOf(PLANS, { description: 'Plan (platform only); PRO for a new organization', example: 'PRO', optional })
  plan?: Plan | null;

  @Int({
    min: 1,
    max: 1_000_000,
    description: 'Service API calls a minute (platform only); 30 for a new organization',
    example: 30,
    optional,
  })
  serviceRatePerMinute?: number | null;

  @Int({ min: 0, max: 1000, description: 'Custom fields a contact (platform only)', example: 50, optional })
  maxCustomFields?: number | null;

  @Int({
    min: 1,
    max: 200,
    description: "Characters of a custom field's name (platform only)",
    example: 50,
    optional,
  })
  maxCustomFieldName?: number | null;

  @Int({
    min: 1,
    max: 10_000,
    description: "Characters of a custom field's value (platform only)",
    example: 2000,
    optional,
  })
  maxCustomFieldValue?: number | null;

  @Int({
    min: 0,
    max: 1000,
    description: 'Custom activity metrics (platform only)',
    example: 50,
    optional,
  })
  customMetricLimit?: number | null;

  @DateText({
    description:
      'Day on which the plan began, from which its monthly periods run (platform only); the day on which a new ' +
      'organization is made',
    example: '2026-01-31',
    optional,
  })
  planStartDate?: string | null;
}

export class CreateOrganizationRequest extends OrganizationSettings {
  @Text(NAME)
  name!: string;
}

/** Only supplied fields change. null clears brandName, logoUrl and brandColor, and leaves others as they are. */
export class UpdateOrganizationRequest extends OrganizationSettings {
  @Text({ ...NAME, min: 1, optional })
  name?: string | null;
}

const integer = (description: string, example: number) =>
  ApiProperty({ type: 'integer', description, example });
const text = (description: string, example: string) =>
  ApiProperty({ type: String, nullable: true, description, example });
const time = (description: string) =>
  ApiProperty({ format: 'date-time', description, example: '2026-11-20T08:32:00Z' });

export class OrganizationResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the organization', example: 1 })
  id!: number;

  @ApiProperty({ description: 'Display name', example: 'Acme' })
  name!: string;

  @text('Name that visitors read; null: `name`', 'Acme')
  brandName!: string | null;

  @text('Picture that pages show in place of the name; null: none', 'https://cdn.example.com/logo.svg')
  logoUrl!: string | null;

  @text('Colour of buttons on pages; null: none', '#1a56db')
  brandColor!: string | null;

  @ApiProperty({ description: 'IANA time zone of reports', example: 'Asia/Seoul' })
  timeZone!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the time zone was changed last; null: never',
    example: null,
  })
  timeZoneChangedAt!: string | null;

  @ApiProperty({ description: 'ISO 4217 currency of revenue', example: 'KRW' })
  baseCurrency!: string;

  @ApiProperty({ description: 'ISO 3166-1 country by which phone numbers are read', example: 'KR' })
  defaultRegion!: string;

  @ApiProperty({
    description:
      "Whether links and campaigns that say nothing else append a click's token to their destination",
    example: false,
  })
  appendClickId!: boolean;

  @ApiProperty({ enum: PLANS, description: 'Plan', example: 'PRO' })
  plan!: Plan;

  @integer('Service API calls a minute', 30)
  serviceRatePerMinute!: number;

  @integer('Custom fields a contact', 50)
  maxCustomFields!: number;

  @integer("Characters of a custom field's name", 50)
  maxCustomFieldName!: number;

  @integer("Characters of a custom field's value", 2000)
  maxCustomFieldValue!: number;

  @integer('Custom activity metrics', 50)
  customMetricLimit!: number;

  @ApiProperty({
    type: String,
    format: 'date',
    nullable: true,
    description: 'Day on which the plan began; null: the day on which the organization was made',
    example: '2026-01-31',
  })
  planStartDate!: string | null;

  @time('When it was made')
  createdAt!: string;

  @time('Last change')
  updatedAt!: string;
}

export class OrganizationPage extends pageOf(OrganizationResponse, 'OrganizationPage') {}

export function toOrganizationResponse(organization: Organization): OrganizationResponse {
  const { deletedAt: _, timeZoneChangedAt, createdAt, updatedAt, ...settings } = organization;
  return {
    ...settings,
    timeZoneChangedAt: toDateTime(timeZoneChangedAt),
    createdAt: toDateTime(createdAt),
    updatedAt: toDateTime(updatedAt),
  };
}
