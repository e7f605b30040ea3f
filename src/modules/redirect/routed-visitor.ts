import { networkOf } from '../../access/client-ip';
import type { Countries, Place, Visitor } from '../clicks/visitor-facts';
import type { Visitors } from '../clicks/visitors';
import { queryParts, queryValue } from '../domains/destinations/query';
import { preferredLanguage } from '../pages/language';
import type { Follower } from '../tracked-links/routing/conditions';
import type { RequestHead } from './redirect-request';

/** What routing depends on, read from a request when it is needed. */
export class RoutedVisitor implements Follower {
  constructor(
    private readonly visit: {
      trackedLinkId: number;
      request: RequestHead;
      query: string;
      /** Client's IP address. */
      address: string;
    },
    readonly agent: Visitor,
    readonly now: number,
    private readonly countries: Countries,
    private readonly visitors: Visitors,
  ) {}

  place(): Place {
    const { request, address } = this.visit;
    return request.place ?? this.countries.placeOf(address);
  }

  language(): string | null {
    const { request } = this.visit;
    return preferredLanguage(request.headers['accept-language'] ?? request.rareHeader?.('accept-language'));
  }

  parameter(name: string): string | null {
    return queryValue(queryParts(this.visit.query), name);
  }

  /** Derived from stable parts of the user agent, which as a whole changes with every browser update. */
  position(): number {
    const { browser, os, deviceType } = this.agent;
    const { trackedLinkId, address } = this.visit;
    return this.visitors.positionOf([trackedLinkId, networkOf(address), browser, os, deviceType].join('\n'));
  }
}
