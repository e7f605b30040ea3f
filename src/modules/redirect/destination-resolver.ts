import { Injectable } from '@nestjs/common';
import { networkOf } from '../../access/client-ip';
import { Countries } from '../clicks/countries';
import { agentOf } from '../clicks/user-agent';
import { Visitors } from '../clicks/visitors';
import type { Destination } from '../domains/destinations/destination';
import { targetedDestination, variantOf } from '../links/routing/link-routing';
import { destinationFor } from './decide';
import type { Target } from './tracked-link';
import type { Visitor } from './visitor';

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
  of(target: Target, visitor: Visitor, userAgent: string, ip: () => string): Destination {
    const usual = destinationFor(target, visitor);
    const routing = target.kind === 'link' ? target.routing : null;
    if (!routing) return usual;
    const follower = {
      country: () => this.countries.of(ip()),
      agent: () => agentOf(userAgent),
      // Not the whole user agent, which changes with every update of the browser.
      place: () => {
        const { browser, os, deviceType } = agentOf(userAgent);
        return this.visitors.placeOf([target.id, networkOf(ip()), browser, os, deviceType].join('\n'));
      },
    };
    const targeted = targetedDestination(routing, follower);
    if (targeted) return targeted;
    return usual === target.destination ? (variantOf(routing, follower) ?? usual) : usual;
  }
}
