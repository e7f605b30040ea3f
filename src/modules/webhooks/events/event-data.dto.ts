import { ApiProperty } from '@nestjs/swagger';
import { type Channel, CHANNELS } from '../../../common/phone/channel-value';
import { id, optionalId, optionalText, text, time } from './event-fields';

const DEVICE_TYPES = ['Mobile', 'Desktop', 'Tablet'] as const;

/** What is known of every click. */
class Clicked {
  @id('Id of the click', 90071)
  clickId!: number;

  @text('Complete address of the link or campaign', 'https://go.example.com/spring')
  link!: string;

  @text('Where the link or campaign leads', 'https://shop.example.com/spring')
  originalUrl!: string;

  @time('When it was clicked')
  clickedAt!: string;

  @optionalText('Country of the visitor (ISO 3166-1 alpha-2); null where that is not known', 'KR')
  country!: string | null;

  @ApiProperty({
    enum: [...DEVICE_TYPES, null],
    type: String,
    nullable: true,
    description: 'Kind of device; null where the browser does not say',
    example: 'Mobile',
  })
  deviceType!: (typeof DEVICE_TYPES)[number] | null;

  @optionalText('Operating system; null where the browser does not say', 'iOS')
  os!: string | null;

  @optionalText('Browser; null where it does not say', 'Mobile Safari')
  browser!: string | null;

  @optionalText('Host name of the page that was left, without `www.`; null without one', 'news.example')
  referrer!: string | null;
}

/** A person's click on a short link. */
export class LinkClicked extends Clicked {
  @id('Id of the short link', 42)
  urlId!: number;

  @text('Its code or alias', 'spring')
  shortCode!: string;
}

/** A person's click on a campaign. */
export class CampaignClicked extends Clicked {
  @optionalId('Always null: a campaign is no short link', null)
  urlId!: null;

  @optionalText('Always null: a campaign has an alias', null)
  shortCode!: null;

  @id('Id of the campaign', 7)
  campaignId!: number;

  @text('Its alias', 'autumn')
  alias!: string;

  @optionalText('The channel, which is the last part of `/c/<alias>/<trackerAlias>`', 'poster')
  trackerAlias!: string | null;

  @optionalText('The customer, which is the parameter `cid`', 'customer-42')
  customId!: string | null;
}

/** One summary for a request or job that changed more than 20 opt-outs. */
export class UnsubscribesChanged {
  @ApiProperty({ enum: CHANNELS, description: 'Channel', example: 'SMS' })
  channel!: Channel;

  @ApiProperty({ type: 'integer', description: 'Opt-outs that are newly registered', example: 250 })
  accepted!: number;

  @ApiProperty({ type: 'integer', description: 'Opt-outs that were taken back', example: 0 })
  deleted!: number;

  @text("Where the list stands after the change, as the watermark's latestCursor", 'AQEBAAAAAAAAASoW0nq4')
  cursor!: string;

  @text('Where the deletions stand after the change', 'AQECAAAAAAAAASoW0nq4')
  deletionsCursor!: string;
}

/** Sent on request, to try an endpoint out. */
export class WebhookTested {
  @text('A text for whoever looks at it', 'Waypost reaches this endpoint ✓')
  message!: string;
}
