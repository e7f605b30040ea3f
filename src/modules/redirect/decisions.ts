import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import { Config } from '../../config/config';
import { AppPageTokens } from '../attribution/tokens/app-page-tokens';
import { Countries, type Visitor } from '../clicks/visitor-facts';
import { Visitors } from '../clicks/visitors';
import { type Destination, withRequestQuery } from '../domains/destinations/destination';
import { SITE_TOKEN_PARAMETER } from '../domains/destinations/own-parameters';
import { withParameter } from '../domains/destinations/query';
import type { Follower } from '../tracked-links/routing/conditions';
import { targetedDestination, type Unmet, unmetBefore, variantOf } from '../tracked-links/routing/routing';
import { isHidden } from '../tracked-links/tracked-link-life';
import type { Closed, Decision } from './decision';
import { clientAddressReader, isVisit, type RedirectRequest, type RequestHead } from './redirect-request';
import { RoutedVisitor } from './routed-visitor';
import type { CachedTrackedLink } from '../tracked-links/tracked-link-cache';

const CLOSED: ReadonlySet<Decision> = new Set<Closed>(['NOT_FOUND', 'DISABLED', 'NOT_STARTED', 'EXPIRED']);

export function isClosed(decision: Decision): decision is Closed {
  return CLOSED.has(decision);
}

export type Decidable = Pick<
  CachedTrackedLink,
  | 'disabled'
  | 'enabled'
  | 'startsAt'
  | 'notStartedUrl'
  | 'expiresAt'
  | 'ogTitle'
  | 'ogDescription'
  | 'ogImageUrl'
  | 'iosAppId'
  | 'androidAppId'
  | 'showAdPage'
  | 'destination'
  | 'mobileDestination'
>;

/** @param now milliseconds since the epoch @returns null while the link is open */
export function closedAs(
  trackedLink: Pick<Decidable, 'disabled' | 'enabled' | 'startsAt' | 'notStartedUrl' | 'expiresAt'> | null,
  now: number,
): Closed | null {
  if (!trackedLink) return 'NOT_FOUND';
  if (trackedLink.disabled) return 'DISABLED';
  if (isHidden(trackedLink, now))
    return trackedLink.enabled !== false && trackedLink.notStartedUrl ? 'NOT_STARTED' : 'NOT_FOUND';
  return trackedLink.expiresAt !== null && trackedLink.expiresAt <= now ? 'EXPIRED' : null;
}

/** @param now milliseconds since the epoch */
export function decide(trackedLink: Decidable | null, visitor: Visitor, now: number): Decision {
  const closed = closedAs(trackedLink, now);
  if (!trackedLink || closed) return closed ?? 'NOT_FOUND';
  if (visitor.isPreview && (trackedLink.ogTitle ?? trackedLink.ogDescription ?? trackedLink.ogImageUrl))
    return 'PREVIEW';
  if (visitor.isBot) return 'REDIRECT';
  if (appIdOf(trackedLink, visitor) !== null) return 'APP';
  return trackedLink.showAdPage ? 'AD' : 'REDIRECT';
}

export function appIdOf(trackedLink: Decidable, { platform }: Visitor): number | null {
  if (platform === null) return null;
  return platform === 'iOS' ? trackedLink.iosAppId : trackedLink.androidAppId;
}

/** The visitor's destination without targeting and variants: phones get the one for phones. */
export function destinationFor(trackedLink: Decidable, visitor: Visitor): Destination {
  if (visitor.platform === null || visitor.isBot) return trackedLink.destination;
  return trackedLink.mobileDestination ?? trackedLink.destination;
}

/** The tracked link without its apps, for when they can be neither opened nor installed. */
export function withoutApps(trackedLink: Decidable): Decidable {
  return { ...trackedLink, iosAppId: null, androidAppId: null };
}

export interface Tokened {
  /** The app that the page opens; null if the token is for the destination's site. */
  appId: number | null;
  tokenKey: string;
}

export interface DestinationRule {
  kind: 'TARGETING' | 'MOBILE' | 'VARIANT' | 'DESTINATION';
  /** Index in `targeting` or `variants`; null for other rules. */
  index: number | null;
}

export interface FoundRequest {
  redirectRequest: RedirectRequest;
  trackedLink: CachedTrackedLink;
  visitor: Visitor;
}

@Injectable()
export class Decisions {
  private readonly clientAddress: (request: RequestHead) => string;

  constructor(
    private readonly countries: Countries,
    private readonly visitors: Visitors,
    private readonly tokens: AppPageTokens,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.clientAddress = clientAddressReader(config.trustProxy);
  }

  of(trackedLink: Decidable | null, visitor: Visitor): Decision {
    return decide(trackedLink, visitor, this.clock.now());
  }

  /** The destination without a token. */
  destinationOf(found: FoundRequest): Destination {
    const { trackedLink, redirectRequest } = found;
    const base = this.baseDestinationOf(found);
    const forwarded = withRequestQuery(base, redirectRequest.query);
    // The click has the request's utm values even if the destination does not get them.
    return trackedLink.forwardQuery === false ? { ...base, utm: forwarded.utm } : forwarded;
  }

  /** The rule by which `destinationOf` selects the destination. */
  ruleOf(found: FoundRequest): DestinationRule {
    const { trackedLink } = found;
    const base = this.baseDestinationOf(found);
    if (base === trackedLink.destination) return { kind: 'DESTINATION', index: null };
    const { rules = [], variants = [] } = trackedLink.routing ?? {};
    const indexIn = (choices: readonly { destination: Destination }[]) =>
      choices.findIndex(({ destination }) => destination === base);
    if (indexIn(rules) >= 0) return { kind: 'TARGETING', index: indexIn(rules) };
    if (indexIn(variants) >= 0) return { kind: 'VARIANT', index: indexIn(variants) };
    return { kind: 'MOBILE', index: null };
  }

  /**
   * The destination; for a person's click with a token for the site, if the link or the organization has enabled it.
   */
  siteOf(found: FoundRequest): Destination & { tokened: Tokened | null } {
    const { location, utm, variant } = this.destinationOf(found);
    const { trackedLink, visitor, redirectRequest } = found;
    const isTokened = trackedLink.appendClickId && !visitor.isBot && !visitor.isPreview;
    if (!isTokened || !isVisit(redirectRequest)) return { location, utm, variant, tokened: null };
    const { token, key } = this.tokens.issue(trackedLink.organizationId);
    const tokened = { appId: null, tokenKey: key };
    return { location: withParameter(location, SITE_TOKEN_PARAMETER, token), utm, variant, tokened };
  }

  /** Why the targeting rules before the one that matches do not, or all of them. */
  unmetOf(found: FoundRequest): Unmet[] {
    const { routing } = found.trackedLink;
    return routing ? unmetBefore(routing, this.followerOf(found)) : [];
  }

  /** In order of precedence: by targeting, for phones, the visitor's variant, the link's own. */
  private baseDestinationOf(found: FoundRequest): Destination {
    const { trackedLink, visitor } = found;
    const usual = destinationFor(trackedLink, visitor);
    const { routing } = trackedLink;
    if (!routing) return usual;
    const follower = this.followerOf(found);
    const targeted = targetedDestination(routing, follower);
    if (targeted) return targeted;
    return usual === trackedLink.destination ? (variantOf(routing, follower) ?? usual) : usual;
  }

  private followerOf({ trackedLink, visitor, redirectRequest: { request, query } }: FoundRequest): Follower {
    const address = this.clientAddress(request);
    const visit = { trackedLinkId: trackedLink.id, request, query, address };
    return new RoutedVisitor(visit, visitor, request.at ?? this.clock.now(), this.countries, this.visitors);
  }
}
