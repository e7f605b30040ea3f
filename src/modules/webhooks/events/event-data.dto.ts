import { INTEGER, Field } from '../../../common/http/api-field';
import { type Channel, CHANNELS } from '../../../common/contact-values/channel-value';
import { id, optionalId, optionalText, text, time } from './event-fields';

const DEVICE_TYPES = ['Mobile', 'Desktop', 'Tablet'] as const;

class Clicked {
  @id('Id of the click', 90071)
  clickId!: number;

  @text('URL of the link or campaign', 'https://go.example.com/spring')
  link!: string;

  @text('Destination of the link or campaign', 'https://shop.example.com/spring')
  originalUrl!: string;

  @time('Time of the click')
  clickedAt!: string;

  @optionalText('Country of the visitor (ISO 3166-1 alpha-2); null when unknown', 'KR')
  country!: string | null;

  @Field('Kind of device; null when unknown', 'Mobile', {
    enum: [...DEVICE_TYPES, null],
    type: String,
    nullable: true,
  })
  deviceType!: (typeof DEVICE_TYPES)[number] | null;

  @optionalText('Operating system; null when unknown', 'iOS')
  os!: string | null;

  @optionalText('Browser; null when unknown', 'Mobile Safari')
  browser!: string | null;

  @optionalText('Host name of the referring page, without `www.`; null when there is none', 'news.example')
  referrer!: string | null;
}

/** A person's click on a short link. */
export class LinkClicked extends Clicked {
  @id('Id of the short link', 42)
  urlId!: number;

  @text('Code or alias of the short link', 'spring')
  shortCode!: string;
}

/** A person's click on a campaign. */
export class CampaignClicked extends Clicked {
  @optionalId('Always null for a campaign', null)
  urlId!: null;

  @optionalText('Always null: campaigns have an alias instead', null)
  shortCode!: null;

  @id('Id of the campaign', 7)
  campaignId!: number;

  @text('Its alias', 'autumn')
  alias!: string;

  @optionalText('The channel: the last part of `/c/<alias>/<trackerAlias>`', 'poster')
  trackerAlias!: string | null;

  @optionalText('The customer: the parameter `cid`', 'customer-42')
  customId!: string | null;
}

/** A summary for a request or job that changed more than 20 opt-outs. */
export class UnsubscribesChanged {
  @Field('Channel', 'SMS', { enum: CHANNELS })
  channel!: Channel;

  @Field('Newly registered opt-outs', 250, INTEGER)
  accepted!: number;

  @Field('Removed opt-outs', 0, INTEGER)
  deleted!: number;

  @text(
    "Position of the list feed after the change, like the watermark's latestCursor",
    'AQEBAAAAAAAAASoW0nq4',
  )
  cursor!: string;

  @text('Position of the deletion feed after the change', 'AQECAAAAAAAAASoW0nq4')
  deletionsCursor!: string;
}

/** Sent on request, to test an endpoint. */
export class WebhookTested {
  @text('Message for the reader', 'Waypost reaches this endpoint ✓')
  message!: string;
}
