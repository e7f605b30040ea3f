import { DATE_TIME, INT64, INT64_OR_NULL, TEXT_OR_NULL, Field } from '../../../common/http/api-field';
import { TimeZoneName } from '../../../access/organizations/organization.atoms';
import { toDateTime } from '../../../common/time/format';
import { DateText, OneOf, QueryInt, Text } from '../../../common/validation/atoms';
import { OnlyKnownNames } from '../../../common/validation/known-names';
import { knownOrNull } from '../../clicks/visitor-facts';
import { TRACKED_LINK_KIND } from '../../clicks/click';
import type { Dimension } from '../dimensions';
import { BOT_CHOICES, type BotChoice, type LoggedClick } from './click-log.query';

export const Bots = OneOf(BOT_CHOICES, {
  description: 'Clicks of bots and link-preview crawlers: left out, included, or nothing else',
  example: 'include',
  default: 'exclude',
});

/** Selects clicks of a link or campaign (docs/concepts/clicks.md#range). */
@OnlyKnownNames()
export class ClicksQuery {
  @DateText({
    optional: true,
    description:
      'First day, in `timeZone`; INVALID_DATE_RANGE if it is after endDate. Absent: the first day that is still kept',
    example: '2026-11-01',
  })
  startDate?: string | null;

  @DateText({
    optional: true,
    description: 'Last day, in `timeZone`, inclusive. Absent: no end',
    example: '2026-11-20',
  })
  endDate?: string | null;

  @TimeZoneName({
    description: 'IANA time zone of the days; defaults to UTC',
    example: 'Asia/Seoul',
    optional: true,
  })
  timeZone?: string;

  @Bots
  bots: BotChoice = 'exclude';
}

export class ListClicksQuery extends ClicksQuery {
  @Text({
    max: 100,
    optional: true,
    description: 'nextCursor of the previous page, unchanged; absent or empty starts with the newest click',
    example: '',
  })
  cursor?: string | null;

  @QueryInt({ min: 1, max: 100, default: 50, description: 'Maximum number of clicks', example: 50 })
  limit: number = 50;
}

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export class ExportClicksQuery extends ClicksQuery {
  @OneOf(EXPORT_FORMATS, {
    description: 'CSV with a header row, or one JSON object per line',
    example: 'ndjson',
    default: 'csv',
  })
  format: ExportFormat = 'csv';
}

/** A click, without anything that identifies the visitor. */
export class ClickResponse {
  @Field('Id of the click, as in webhooks and the Mobile SDK', 100_000_042, INT64)
  id!: number;

  @Field('Time of the click', '2026-11-20T08:32:00Z', DATE_TIME)
  clickedAt!: string;

  @Field('Id of the link; null for a campaign', 1, INT64_OR_NULL)
  urlId!: number | null;

  @Field('Id of the campaign; null for a link', null, INT64_OR_NULL)
  campaignId!: number | null;

  @Field('Country, ISO 3166-1 alpha-2', 'KR', TEXT_OR_NULL)
  country!: string | null;

  @Field('`Mobile`, `Tablet` or `Desktop`', 'Mobile', TEXT_OR_NULL)
  deviceType!: string | null;

  @Field('Operating system', 'iOS', TEXT_OR_NULL)
  os!: string | null;

  @Field('Browser', 'Mobile Safari', TEXT_OR_NULL)
  browser!: string | null;

  @Field('Host name of the referring page', 'news.example.com', TEXT_OR_NULL)
  referrer!: string | null;

  @Field(
    'Channel: the tracker of the campaign address, or `qr` for a scan of a QR code',
    'newsletter',
    TEXT_OR_NULL,
  )
  tracker!: string | null;

  @Field('`customId` of the campaign address', 'customer-42', TEXT_OR_NULL)
  customId!: string | null;

  @Field('utm_source of the visit', 'spring-mail', TEXT_OR_NULL)
  utmSource!: string | null;

  @Field('utm_medium of the visit', 'email', TEXT_OR_NULL)
  utmMedium!: string | null;

  @Field('utm_term of the visit', 'shoes', TEXT_OR_NULL)
  utmTerm!: string | null;

  @Field('utm_content of the visit', 'header', TEXT_OR_NULL)
  utmContent!: string | null;

  @Field('utm_campaign of the visit', 'spring', TEXT_OR_NULL)
  utmCampaign!: string | null;

  @Field("URL of the link's variant that the visitor was led to", 'https://shop.example.com/b', TEXT_OR_NULL)
  variant!: string | null;

  @Field('Whether a bot or link-preview crawler clicked', false)
  isBot!: boolean;

  @Field('Region, ISO 3166-2; null unless the country database is one of cities', 'KR-11', TEXT_OR_NULL)
  region!: string | null;

  @Field('City, in English; null unless the country database is one of cities', 'Seoul', TEXT_OR_NULL)
  city!: string | null;
}

export class ClickListResponse {
  @Field('Clicks, newest first', undefined, { type: ClickResponse, isArray: true })
  items!: ClickResponse[];

  @Field('Cursor of the next page; null on the last one', 'AAABmpTGmAAAAAAABfXhKg', TEXT_OR_NULL)
  nextCursor!: string | null;
}

export function toClickResponse(click: LoggedClick): ClickResponse {
  const values = new Map(click.dimensions.map(splitValue));
  const value = (dimension: Dimension) => values.get(dimension) ?? null;
  return {
    id: click.id,
    clickedAt: toDateTime(click.clickedAt),
    urlId: click.kind === TRACKED_LINK_KIND.link ? click.trackedLinkId : null,
    campaignId: click.kind === TRACKED_LINK_KIND.campaign ? click.trackedLinkId : null,
    country: knownOrNull(value('country')),
    deviceType: knownOrNull(value('device')),
    os: knownOrNull(value('os')),
    browser: knownOrNull(value('browser')),
    referrer: knownOrNull(value('referrer')),
    tracker: value('tracker'),
    customId: click.customId,
    utmSource: value('utm_source'),
    utmMedium: value('utm_medium'),
    utmTerm: value('utm_term'),
    utmContent: value('utm_content'),
    utmCampaign: value('utm_campaign'),
    variant: value('variant'),
    isBot: click.isBot,
    region: value('region'),
    city: value('city'),
  };
}

function splitValue(stored: string): [dimension: string, value: string] {
  const colon = stored.indexOf(':');
  return [stored.slice(0, colon), stored.slice(colon + 1)];
}

const EXAMPLE: ClickResponse = {
  id: 100_000_042,
  clickedAt: '2026-11-20T08:32:00Z',
  urlId: 1,
  campaignId: null,
  country: 'KR',
  deviceType: 'Mobile',
  os: 'iOS',
  browser: 'Mobile Safari',
  referrer: null,
  tracker: null,
  customId: null,
  utmSource: 'spring-mail',
  utmMedium: null,
  utmTerm: null,
  utmContent: null,
  utmCampaign: null,
  variant: null,
  isBot: false,
  region: null,
  city: null,
};
const text = { type: 'string' };

export const LIST_DESCRIPTION =
  'Clicks one by one, newest first, as far back as the plan keeps them. `nextCursor` continues a list: clicks that ' +
  'arrive meanwhile neither repeat nor shift any.';

export const EXPORT_DESCRIPTION =
  'Streams the clicks of a range, newest first, as RFC 4180 CSV in UTF-8 with a header row, or as NDJSON. A cell of ' +
  'CSV that a spreadsheet would interpret as a formula starts with an apostrophe. If the connection closes before the ' +
  'end of the response, the file is incomplete.';

export const EXPORT_CONTENT = {
  'text/csv': {
    schema: text,
    example: `${Object.keys(EXAMPLE).join(',')}\r\n${Object.values(EXAMPLE).join(',')}\r\n`,
  },
  'application/x-ndjson': { schema: text, example: `${JSON.stringify(EXAMPLE)}\n` },
};
