import { ApiProperty } from '@nestjs/swagger';
import { type Channel, CHANNELS } from '../../../common/phone/channel-value';
import { pageOf } from '../../../common/pagination/page';
import { toDateTime } from '../../../common/time/format';
import { OneOf, PathId, Text } from '../../../common/validation/atoms';
import type { OptOutLink } from './opt-out-links.repository';
import { MAX_VALUE } from '../unsubscribes.dto';

export class OptOutLinksPath {
  @PathId({ description: 'Id of the organization', example: 1 })
  organizationId!: number;
}

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

/** A link to an opt-out page. */
export class OptOutLinkResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the link', example: 3 })
  id!: number;

  @ApiProperty({
    description:
      'Address of the page. For e-mail, put it into `List-Unsubscribe`, together with ' +
      '`List-Unsubscribe-Post: List-Unsubscribe=One-Click` if the link has a value (RFC 8058)',
    example: 'https://go.example.com/u/4fR7kQ2mZt9wXc1bV6nLsY?o=1',
  })
  url!: string;

  @ApiProperty({ enum: CHANNELS, description: 'Channel', example: 'EMAIL' })
  channel!: Channel;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Recipient of the link',
    example: 'kim@shop.example',
  })
  value!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What the link is sent with',
    example: 'autumn sale',
  })
  campaign!: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was created', example: '2026-11-20T08:32:00Z' })
  createdAt!: string;
}

export const OptOutLinkPage = pageOf(OptOutLinkResponse, 'OptOutLinkPage');

export function toOptOutLinkResponse(shortUrlBase: string, link: OptOutLink): OptOutLinkResponse {
  const { id, organizationId, token, channel, value, campaign, createdAt } = link;
  const url = `${shortUrlBase}/u/${token}?o=${organizationId}`;
  return { id, url, channel, value, campaign, createdAt: toDateTime(createdAt) };
}
