import { ApiProperty } from '@nestjs/swagger';
import { DATE_OR_NULL, DATE_TIME_OR_NULL, INT64, INTEGER, Field } from '../../common/http/api-field';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { Bool, DateText, Int, Nested, OneOf, Text } from '../../common/validation/atoms';
import { type Plan, PLANS } from '../caller';
import { BrandColor, BrandName, CurrencyCode, LogoUrl, RegionCode, TimeZoneName } from './organization.atoms';
import { LimitsRequest, LimitsResponse, toLimitsResponse } from '../limits/limits.dto';
import type { LimitedOrganization } from './organization.entity';

const NAME = { max: 100, description: 'Display name', example: 'Acme' };
const optional = true;

class OrganizationSettings {
  @BrandName({
    description: 'Name shown to visitors on pages and opt-out pages, up to 100 characters; null: `name`',
    example: 'Acme',
    optional,
  })
  brandName?: string | null;

  @LogoUrl({
    description:
      'Logo that pages show instead of the name, at most 48 px high: a public https URL of an image ' +
      'that reads well on white; null: none',
    example: 'https://cdn.example.com/logo.svg',
    optional,
  })
  logoUrl?: string | null;

  @BrandColor({
    description:
      'Button colour of pages as `#rrggbb`; the button text is black or white, whichever has more ' +
      'contrast. null: default',
    example: '#1a56db',
    optional,
  })
  brandColor?: string | null;

  @TimeZoneName({
    description: 'IANA time zone of reports; default UTC',
    example: 'Asia/Seoul',
    optional,
  })
  timeZone?: string | null;

  @CurrencyCode({
    description: 'ISO 4217 currency of revenue; default USD',
    example: 'KRW',
    optional,
  })
  baseCurrency?: string | null;

  @RegionCode({
    description: 'ISO 3166-1 country used to parse national phone numbers; default US',
    example: 'KR',
    optional,
  })
  defaultRegion?: string | null;

  @Bool({
    description:
      "Whether links and campaigns by default append a click's `waypost-token`, by which the Web SDK " +
      'recognizes the click, to their destination; default false. Takes effect within ten minutes',
    example: false,
    optional,
  })
  appendClickId?: boolean | null;

  @Bool({
    description:
      'Whether destinations of links and campaigns may also start with http://; default false. Turning it off leaves ' +
      'existing destinations as they are',
    example: false,
    optional,
  })
  allowHttpDestinations?: boolean | null;

  @OneOf(PLANS, { description: 'Plan (platform only); default PRO', example: 'PRO', optional })
  plan?: Plan | null;

  @Int({
    min: 1,
    max: 1_000_000,
    description: 'Service API calls per minute (platform only); default 30',
    example: 30,
    optional,
  })
  serviceRatePerMinute?: number | null;

  @Int({
    min: 0,
    max: 1000,
    description: 'Maximum number of custom fields per contact (platform only)',
    example: 50,
    optional,
  })
  maxCustomFields?: number | null;

  @Int({
    min: 1,
    max: 200,
    description: "Maximum length of a custom field's name in characters (platform only)",
    example: 50,
    optional,
  })
  maxCustomFieldName?: number | null;

  @Int({
    min: 1,
    max: 10_000,
    description: "Maximum length of a custom field's value in characters (platform only)",
    example: 2000,
    optional,
  })
  maxCustomFieldValue?: number | null;

  @Int({
    min: 0,
    max: 1000,
    description: 'Maximum number of custom activity metrics (platform only)',
    example: 50,
    optional,
  })
  customMetricLimit?: number | null;

  @DateText({
    description:
      'Start date of the plan, which anchors its monthly periods (platform only); default is the day of ' +
      'creation',
    example: '2026-01-31',
    optional,
  })
  planStartDate?: string | null;

  @Nested(() => LimitsRequest, {
    description:
      'Limits to set instead of those of the plan (platform only). Only supplied ones change; null is that of the ' +
      'plan again',
    example: { links: 2_000_000 },
    optional,
  })
  limits?: LimitsRequest | null;
}

export class CreateOrganizationRequest extends OrganizationSettings {
  @Text(NAME)
  name!: string;
}

/** Only supplied fields change. Null clears brandName, logoUrl and brandColor; in other fields it counts as omitted. */
export class UpdateOrganizationRequest extends OrganizationSettings {
  @Text({ ...NAME, min: 1, optional })
  name?: string | null;
}

const text = (description: string, example: string) =>
  ApiProperty({ type: String, nullable: true, description, example });
const time = (description: string) =>
  ApiProperty({ format: 'date-time', description, example: '2026-11-20T08:32:00Z' });

export class OrganizationResponse {
  @Field('Id of the organization', 1, INT64)
  id!: number;

  @Field('Display name', 'Acme')
  name!: string;

  @text('Name shown to visitors; null: `name`', 'Acme')
  brandName!: string | null;

  @text('Logo that pages show instead of the name; null: none', 'https://cdn.example.com/logo.svg')
  logoUrl!: string | null;

  @text('Button colour of pages; null: default', '#1a56db')
  brandColor!: string | null;

  @Field('IANA time zone of reports', 'Asia/Seoul')
  timeZone!: string;

  @Field('When the time zone was last changed; null: never', null, DATE_TIME_OR_NULL)
  timeZoneChangedAt!: string | null;

  @Field('ISO 4217 currency of revenue', 'KRW')
  baseCurrency!: string;

  @Field('ISO 3166-1 country used to parse national phone numbers', 'KR')
  defaultRegion!: string;

  @Field("Whether links and campaigns by default append a click's token to their destination", false)
  appendClickId!: boolean;

  @Field('Whether destinations of links and campaigns may also start with http://', false)
  allowHttpDestinations!: boolean;

  @Field('Plan', 'PRO', { enum: PLANS })
  plan!: Plan;

  @Field('Service API calls per minute', 30, INTEGER)
  serviceRatePerMinute!: number;

  @Field('Maximum number of custom fields per contact', 50, INTEGER)
  maxCustomFields!: number;

  @Field("Maximum length of a custom field's name in characters", 50, INTEGER)
  maxCustomFieldName!: number;

  @Field("Maximum length of a custom field's value in characters", 2000, INTEGER)
  maxCustomFieldValue!: number;

  @Field('Maximum number of custom activity metrics', 50, INTEGER)
  customMetricLimit!: number;

  @Field('Start date of the plan; null: the day of creation', '2026-01-31', DATE_OR_NULL)
  planStartDate!: string | null;

  @Field(
    'Limits that the platform has set instead of those of the plan; the usage shows those that apply',
    undefined,
    { type: LimitsResponse },
  )
  limits!: LimitsResponse;

  @time('When it was created')
  createdAt!: string;

  @time('Last change')
  updatedAt!: string;
}

export class OrganizationPage extends pageOf(OrganizationResponse, 'OrganizationPage') {}

export function toOrganizationResponse(organization: LimitedOrganization): OrganizationResponse {
  const { deletedAt: _, timeZoneChangedAt, createdAt, updatedAt, limits, ...settings } = organization;
  return {
    ...settings,
    limits: toLimitsResponse(limits),
    timeZoneChangedAt: toDateTime(timeZoneChangedAt),
    createdAt: toDateTime(createdAt),
    updatedAt: toDateTime(updatedAt),
  };
}
