import { DATE_TIME, INT64, TEXT_OR_NULL, Field } from '../../../common/http/api-field';
import { type Channel, CHANNELS } from '../../../common/contact-values/channel-value';
import { pageOf } from '../../../common/pagination/page';
import { toDateTime } from '../../../common/time/format';
import { OneOf, Text } from '../../../common/validation/atoms';
import type { OptOutLink } from './opt-out-links.repository';
import { MAX_VALUE } from '../unsubscribes.dto';

export class CreateOptOutLinkRequest {
  @OneOf(CHANNELS, { default: 'SMS', description: 'Channel that people opt out of', example: 'EMAIL' })
  channel: Channel = 'SMS';

  @Text({
    max: MAX_VALUE,
    optional: true,
    description:
      'Recipient of the link: a phone number or e-mail address, depending on the channel. Without one, ' +
      'the page asks',
    example: null,
  })
  value?: string | null;

  @Text({
    max: 100,
    optional: true,
    description: 'What the link is sent with; stored as the source of the opt-outs',
    example: 'autumn sale',
  })
  campaign?: string | null;
}

export class OptOutLinkResponse {
  @Field('Id of the link', 3, INT64)
  id!: number;

  @Field(
    'Address of the page. For e-mail, put it into `List-Unsubscribe`, together with ' +
      '`List-Unsubscribe-Post: List-Unsubscribe=One-Click` if the link has a value (RFC 8058)',
    'https://go.example.com/u/4fR7kQ2mZt9wXc1bV6nLsY?o=1',
  )
  url!: string;

  @Field('Channel', 'EMAIL', { enum: CHANNELS })
  channel!: Channel;

  @Field('Recipient of the link', 'kim@shop.example', TEXT_OR_NULL)
  value!: string | null;

  @Field('What the link is sent with', 'autumn sale', TEXT_OR_NULL)
  campaign!: string | null;

  @Field('When it was created', '2026-11-20T08:32:00Z', DATE_TIME)
  createdAt!: string;
}

export const OptOutLinkPage = pageOf(OptOutLinkResponse, 'OptOutLinkPage');

export function toOptOutLinkResponse(shortUrlBase: string, link: OptOutLink): OptOutLinkResponse {
  const { id, organizationId, token, channel, value, campaign, createdAt } = link;
  const url = `${shortUrlBase}/u/${token}?o=${organizationId}`;
  return { id, url, channel, value, campaign, createdAt: toDateTime(createdAt) };
}
