import { EVENT_NAMES, type EventName } from '../outbox/outbox-event';

const GROUPS = [...new Set(EVENT_NAMES.map(groupOf))];

/** What an endpoint can subscribe to: everything, groups of events, events. */
export const SUBSCRIPTIONS: ReadonlySet<string> = new Set(['*', ...GROUPS, ...EVENT_NAMES]);

/** The subscriptions that an event meets. */
export function subscriptionsTo(name: EventName): string[] {
  return [name, groupOf(name), '*'];
}

/** SQL: the same, for the expression that holds the event's name. */
export function subscriptionsToSql(name: string): string {
  return `ARRAY[${name}, split_part(${name}, '.', 1) || '.*', '*']`;
}

function groupOf(name: EventName): string {
  return name.replace(/\..*/, '.*');
}
