import { ApiProperty } from '@nestjs/swagger';
import { STAGES, type Stage } from '../../common/funnel';
import { type Channel, CHANNELS } from '../../common/phone/channel-value';

const PLATFORMS = ['WEB', 'IOS', 'ANDROID'] as const;
const DEVICE_TYPES = ['Mobile', 'Desktop', 'Tablet'] as const;

const id = (description: string, example: number) =>
  ApiProperty({ type: 'integer', format: 'int64', description, example });
const optionalId = (description: string, example: number | null) =>
  ApiProperty({ type: 'integer', format: 'int64', nullable: true, description, example });
const text = (description: string, example: string) => ApiProperty({ description, example });
const optionalText = (description: string, example: string | null) =>
  ApiProperty({ type: String, nullable: true, description, example });
const time = (description: string) =>
  ApiProperty({ format: 'date-time', description, example: '2026-11-20T08:32:00Z' });

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

/** What is known of every step of a session. */
class SessionStep {
  @text('Id of the session', '01a1f815-7c00-7d21-8c3f-1b7a9d4e5f60')
  sessionId!: string;

  @optionalId('The app', 3)
  appId!: number | null;

  @optionalId('The short link that led there', 42)
  urlId!: number | null;

  @optionalId('The campaign that led there', null)
  campaignId!: number | null;

  @ApiProperty({ enum: PLATFORMS, description: 'Where it happened', example: 'IOS' })
  platform!: (typeof PLATFORMS)[number];

  @optionalText("The user, by the customer's member id, once that is known", 'member-1001')
  externalUserId!: string | null;

  @time('When it happened')
  occurredAt!: string;
}

/** A session reached a stage of the funnel for the first time. */
export class StageReached extends SessionStep {
  @ApiProperty({ enum: STAGES.map(([stage]) => stage), description: 'The stage', example: 'APP_INSTALLED' })
  stage!: Stage;

  @text('Its name for people', 'App installed')
  stageName!: string;
}

/** A goal was reached; repeats of one transaction tell nothing. */
export class GoalCompleted extends SessionStep {
  @id('Id of the goal', 815)
  goalId!: number;

  @text('Kind of goal', 'purchase_USD')
  goalType!: string;

  @ApiProperty({ type: Number, description: 'Its value', example: 49.9 })
  goalValue!: number;

  @optionalText('Currency of the value (ISO 4217), where it is money', 'USD')
  currency!: string | null;

  @optionalText("The customer's id of the transaction", 'order-4711')
  transactionId!: string | null;
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
