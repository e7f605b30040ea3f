import { Injectable } from '@nestjs/common';
import { networkOf } from '../../access/client-ip';
import { Countries } from '../clicks/countries';
import type { Visitor } from '../clicks/user-agent';
import { Visitors } from '../clicks/visitors';
import type { Destination } from '../domains/destinations/destination';
import { targetedDestination, variantOf } from '../links/routing/link-routing';
import { destinationFor } from './decide';
import type { TrackedLink } from './tracked-link';

/**
 * Chooses where a visitor goes: where the link's targeting sends him, else to the address for phones, else to his one
 * of several destinations, else to the destination.
 */
@Injectable()
export class DestinationResolver {
  constructor(
    private readonly countries: Countries,
    private readonly visitors: Visitors,
  ) {}

  /** @param ip asked for only where the link needs it */
  of(trackedLink: TrackedLink, visitor: Visitor, ip: () => string): Destination {
    const usual = destinationFor(trackedLink, visitor);
    const routing = trackedLink.kind === 'link' ? trackedLink.routing : null;
    if (!routing) return usual;
    const follower = {
      country: () => this.countries.of(ip()),
      agent: visitor,
      // Not the whole user agent, which changes with every update of the browser.
      place: () => {
        const { browser, os, deviceType } = visitor;
        return this.visitors.placeOf([trackedLink.id, networkOf(ip()), browser, os, deviceType].join('\n'));
      },
    };
    const targeted = targetedDestination(routing, follower);
    if (targeted) return targeted;
    return usual === trackedLink.destination ? (variantOf(routing, follower) ?? usual) : usual;
  }
}
