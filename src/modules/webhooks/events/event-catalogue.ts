import type { EventName } from '../outbox/outbox-event';

/** How an event is told of. */
interface CataloguedEvent {
  readonly summary: string;
  readonly description: string;
  /** Name of the class that describes `data`: of this module, or of the one that raises the event. */
  readonly data: string;
}

/** Every event, when it is raised, and what its data is: as the API shows the resource (docs/webhooks.md#events). */
export const EVENT_CATALOGUE: Readonly<Record<EventName, CataloguedEvent>> = {
  'link.clicked': {
    summary: 'A short link was clicked',
    description:
      'Once for every click that counts: not for bots and link previews, and not for a click that de-duplication ' +
      'refused. Told when the click is counted, mostly within a second; `originalUrl` is that of this moment.',
    data: 'LinkClicked',
  },
  'campaign.clicked': {
    summary: 'A campaign was clicked',
    description: 'As `link.clicked`, with what a campaign has beyond: alias, tracker and customer.',
    data: 'CampaignClicked',
  },
  'goal.completed': {
    summary: 'A goal was completed',
    description:
      'A purchase, a sign-up or another conversion. A repeat of the same transaction is not told again.',
    data: 'GoalCompleted',
  },
  'funnel.stage_reached': {
    summary: 'A session reached a stage of the funnel',
    description: 'Once for each stage of a session, in whatever order they come.',
    data: 'StageReached',
  },
  'session.created': {
    summary: 'A session started',
    description: 'By a click that opens an app, by an SDK, or by the first opening of an app.',
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
    description: 'Not told of one that had been registered before.',
    data: 'UnsubscribeCreated',
  },
  'unsubscribe.deleted': {
    summary: 'An opt-out was removed',
    description: '`sourceId` is the id of the entry that is gone.',
    data: 'UnsubscribeDeleted',
  },
  'unsubscribe.bulk_changed': {
    summary: 'Many opt-outs changed at once',
    description:
      'One summary for a request or job that changes more than 20 entries, in place of one event each. Fetch what ' +
      'changed from the feeds, up to `cursor`.',
    data: 'UnsubscribesChanged',
  },
  'contact.created': {
    summary: 'A contact was created',
    description: 'By API, SDK or import.',
    data: 'ContactResponse',
  },
  'contact.updated': {
    summary: 'A contact was updated',
    description: 'The contact after the change; a withdrawn or reactivated one too.',
    data: 'ContactResponse',
  },
  'contact.opt_out': {
    summary: 'A contact has no consent left',
    description: 'When the last consent of a contact was taken back; `contact.updated` is told as well.',
    data: 'ContactResponse',
  },
  'contact.deleted': {
    summary: 'A contact was deleted',
    description:
      'Deactivated, withdrawn or erased: its ids and no more. An erasure is told even of a contact that was ' +
      'deactivated before.',
    data: 'ContactDeleted',
  },
  'webhook.test': {
    summary: 'A test of an endpoint',
    description: 'Sent to one endpoint when the console asks for it, whatever the endpoint subscribes to.',
    data: 'WebhookTested',
  },
};
