import { Caller, groupOf } from './caller';
import { contactsFeed, type FollowContacts, type FollowUnsubscribes, unsubscribesFeed } from './feeds';
import { type Contacts, Operations, type Unsubscribes } from './operations.gen';
import type { WaypostOptions } from './types';

/**
 * The API of a Waypost service.
 *
 *     const waypost = new Waypost({ baseUrl: 'https://waypost.example.com', apiKey: process.env.WAYPOST_API_KEY });
 *     const link = await waypost.links.createShortUrl({ url: 'https://shop.example.com/spring' });
 */
export class Waypost extends Operations {
  declare readonly contacts: Contacts & FollowContacts;
  declare readonly unsubscribes: Unsubscribes & FollowUnsubscribes;

  constructor(options: WaypostOptions) {
    const caller = new Caller(options);
    super((operations) => groupOf(caller, operations));
    Object.assign(this.contacts, contactsFeed(caller, this.contacts));
    Object.assign(this.unsubscribes, unsubscribesFeed(caller, this.unsubscribes));
  }
}
