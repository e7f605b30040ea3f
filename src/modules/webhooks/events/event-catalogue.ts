import type { EventName } from '../outbox/outbox-event';

interface CataloguedEvent {
  readonly summary: string;
  readonly description: string;
  /** Name of the class of `data`, in this module or in the one that emits the event. */
  readonly data: string;
}

/** Every event with its condition and data, which has the form of the resource in the API (docs/webhooks.md#events). */
export const EVENT_CATALOGUE: Readonly<Record<EventName, CataloguedEvent>> = {
  'link.clicked': {
    summary: 'A short link was clicked',
    description:
      'Once for every click that counts, so not for bots, link previews and clicks that de-duplication filtered. Sent ' +
      'when the click is counted, mostly within a second; `originalUrl` is the destination at that time.',
    data: 'LinkClicked',
  },
  'link.created': {
    summary: 'A short link was created',
    description: 'One by one, in bulk or by an import.',
    data: 'ShortUrlResponse',
  },
  'link.updated': {
    summary: 'A short link was changed',
    description:
      'The link after the change, whoever made it: the API, the console, the platform that disabled or enabled it, the ' +
      'deletion of its app, or Open Graph fields that were read from its destination. Clicks send no such event.',
    data: 'ShortUrlResponse',
  },
  'link.deleted': {
    summary: 'A short link was deleted',
    description: 'The link as it was.',
    data: 'ShortUrlResponse',
  },
  'link.unhealthy': {
    summary: 'A destination of a short link does not work',
    description:
      'Once when the link becomes unhealthy, by three failures in three days; `healthProblem` says why. Not sent again ' +
      'before a check has succeeded or the destination has changed.',
    data: 'ShortUrlResponse',
  },
  'campaign.clicked': {
    summary: 'A campaign was clicked',
    description: 'Like `link.clicked`, with the alias, tracker and customer of a campaign.',
    data: 'CampaignClicked',
  },
  'campaign.created': {
    summary: 'A campaign was created',
    description: 'The new campaign.',
    data: 'CampaignResponse',
  },
  'campaign.updated': {
    summary: 'A campaign was changed',
    description: 'The campaign after the change, by the rules of `link.updated`.',
    data: 'CampaignResponse',
  },
  'campaign.deleted': {
    summary: 'A campaign was deleted',
    description: 'The campaign as it was.',
    data: 'CampaignResponse',
  },
  'campaign.unhealthy': {
    summary: 'A destination of a campaign does not work',
    description: 'Like `link.unhealthy`.',
    data: 'CampaignResponse',
  },
  'goal.completed': {
    summary: 'A goal was completed',
    description:
      'A purchase, a sign-up or another conversion. Repeats of the same transaction send no event.',
    data: 'GoalCompleted',
  },
  'funnel.stage_reached': {
    summary: 'A session reached a stage of the funnel',
    description: 'Once for each stage of a session, in any order.',
    data: 'StageReached',
  },
  'session.created': {
    summary: 'A session started',
    description: 'By a click that opens an app, by an SDK, or by the first start of an app.',
    data: 'SessionResponse',
  },
  'session.user_linked': {
    summary: 'A session was linked to a user',
    description: 'The session, now with its `externalUserId`.',
    data: 'SessionResponse',
  },
  'session.transitioned': {
    summary: 'A session moved to another platform',
    description: 'The session, now with its new `platform`, and the transition.',
    data: 'SessionTransitioned',
  },
  'unsubscribe.created': {
    summary: 'An opt-out was registered',
    description: 'Not sent for an opt-out that was already registered.',
    data: 'UnsubscribeCreated',
  },
  'unsubscribe.deleted': {
    summary: 'An opt-out was removed',
    description: '`sourceId` is the id of the removed entry.',
    data: 'UnsubscribeDeleted',
  },
  'unsubscribe.bulk_changed': {
    summary: 'Many opt-outs changed at once',
    description:
      'One summary for a request or job that changes more than 20 entries, instead of one event each. Fetch the changes ' +
      'from the feeds, up to `cursor`.',
    data: 'UnsubscribesChanged',
  },
  'contact.created': {
    summary: 'A contact was created',
    description: 'By the API, an SDK or an import.',
    data: 'ContactResponse',
  },
  'contact.updated': {
    summary: 'A contact was updated',
    description: 'The contact after the change. Also sent when a contact is withdrawn or reactivated.',
    data: 'ContactResponse',
  },
  'contact.opt_out': {
    summary: 'A contact has no consent left',
    description: 'When the last consent of a contact is withdrawn; `contact.updated` is sent as well.',
    data: 'ContactResponse',
  },
  'contact.deleted': {
    summary: 'A contact was deleted',
    description:
      'Deactivated, withdrawn or erased: only its ids. Erasing a contact sends the event even if it was already ' +
      'deactivated.',
    data: 'ContactDeleted',
  },
  'usage.click_limit_exceeded': {
    summary: 'A month has more clicks than the limit',
    description:
      'Once a month, within about an hour after clicks of people have passed the limit of the organization. Clicks are ' +
      'counted and redirected as before.',
    data: 'ClickLimitExceeded',
  },
  'webhook.test': {
    summary: 'A test of an endpoint',
    description: 'Sent to one endpoint on request, whatever it subscribes to.',
    data: 'WebhookTested',
  },
};
