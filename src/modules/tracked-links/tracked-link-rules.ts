import { Injectable } from '@nestjs/common';
import { OrganizationCache } from '../../access/organizations/organization-cache';
import { randomBase62, randomText } from '../../common/base62';
import { ValidationFailed } from '../../common/errors/errors';
import { Clock } from '../../common/time/clock';
import { parseDateTime } from '../../common/time/parse';
import { HTTPS_URL_PROBLEM } from '../../common/validation/atoms';
import { AppLookup } from '../apps/cache/app-lookup.service';
import type { CodeDomain } from '../domains/code-domain';
import { DestinationPolicy } from '../domains/destinations/destination-policy';
import { DomainNotUsable, ReservedAlias } from '../domains/domains.errors';
import { DomainsService } from '../domains/domains.service';
import { isReservedWord } from '../domains/reserved-words';
import { Countries } from '../clicks/visitor-facts';
import { checkRouting, type RoutingFields } from './routing/routing-fields';
import { DEFAULT_DOMAIN_ID } from './tracked-link.entity';
import { DomainError } from '../../common/errors/domain-error';

/** Lower-case letters and digits that nobody takes for one another. */
const PLAIN = '23456789abcdefghjkmnpqrstuvwxyz';

/** A random code that is not a reserved word; longer where case does not count, and as hard to guess. */
export function newCode({ caseSensitiveCodes }: CodeDomain): string {
  for (;;) {
    const code = caseSensitiveCodes ? randomBase62(7) : randomText(8, PLAIN);
    if (!isReservedWord(code)) return code;
  }
}

interface Destinations {
  url?: string | null;
  originalUrl?: string | null;
  mobileTargetUrl?: string | null;
  notStartedUrl?: string | null;
  expiredUrl?: string | null;
  targeting?: readonly { url: string }[] | null;
  variants?: readonly { url: string }[] | null;
}

interface LinkedApps {
  iosAppId?: number | null;
  androidAppId?: number | null;
}

/** Memoizes look-ups within a request, so that bulk requests do not repeat them. */
export class RequestCache {
  private readonly known = new Map<string, Promise<unknown>>();

  /** @param key identifies the look-up and the type of its result */
  once<T>(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.known.get(key) as Promise<T> | undefined;
    if (known) return known;
    const result = load();
    this.known.set(key, result);
    result.catch(() => this.known.delete(key));
    return result;
  }
}

/** Validates fields of links and campaigns beyond their format: destinations, aliases, expiry, apps and domains. */
@Injectable()
export class TrackedLinkRules {
  constructor(
    private readonly organizations: OrganizationCache,
    private readonly destinations: DestinationPolicy,
    private readonly apps: AppLookup,
    private readonly domains: DomainsService,
    private readonly countries: Countries,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed naming the field */
  checkRouting(request: RoutingFields): void {
    checkRouting(request, this.countries.hasCities);
  }

  /** @throws ValidationFailed, DESTINATION_NOT_ALLOWED naming the first field whose URL is not allowed */
  async checkDestinations(
    organizationId: number,
    request: Destinations,
    cache = new RequestCache(),
  ): Promise<void> {
    for (const [field, url] of destinationsIn(request)) {
      if (/^http:/i.test(url) && !(await this.organizations.get(organizationId))?.allowHttpDestinations) {
        throw ValidationFailed.field(field, HTTPS_URL_PROBLEM);
      }
      const problem = await cache.once(`url/${url}`, () => this.destinations.problemWith(url));
      if (problem) throw DomainError.inField('DESTINATION_NOT_ALLOWED', field, problem);
    }
  }

  /** @throws ReservedAlias */
  checkAlias(field: string, alias: string | null | undefined): void {
    if (alias && isReservedWord(alias)) throw new ReservedAlias(field);
  }

  /** @throws ValidationFailed if the time is not in the future */
  expiryOf(field: string, text: string | null | undefined): Date | null {
    if (!text) return null;
    const expiry = parseDateTime(text);
    if (!expiry || expiry.getTime() <= this.clock.now()) {
      throw ValidationFailed.field(field, 'must be in the future');
    }
    return expiry;
  }

  /** @throws APP_NOT_USABLE naming the field */
  async checkApps(organizationId: number, request: LinkedApps, cache = new RequestCache()): Promise<void> {
    for (const [field, platform] of APP_FIELDS) {
      const id = request[field];
      if (!id) continue;
      const find = () => this.apps.findUsable(organizationId, id, platform);
      if (!(await cache.once(`${platform}/${id}`, find)))
        throw DomainError.inField('APP_NOT_USABLE', field, `must be an ${platform} app of the organization`);
    }
  }

  /** @throws DomainNotUsable */
  async domainIdOf(
    organizationId: number,
    customDomainId: number | null | undefined,
    cache = new RequestCache(),
  ): Promise<number> {
    if (!customDomainId) return DEFAULT_DOMAIN_ID;
    const find = () => this.domains.findUsable(organizationId, customDomainId);
    const domain = await cache.once(`domain/${customDomainId}`, find);
    if (!domain) throw new DomainNotUsable();
    return domain.id;
  }
}

const APP_FIELDS = [
  ['iosAppId', 'iOS'],
  ['androidAppId', 'Android'],
] as const;

function destinationsIn(request: Destinations): [field: string, url: string][] {
  const found: [string, string | null | undefined][] = [
    ['url', request.url],
    ['originalUrl', request.originalUrl],
    ['mobileTargetUrl', request.mobileTargetUrl],
    ['notStartedUrl', request.notStartedUrl],
    ['expiredUrl', request.expiredUrl],
    ...(request.targeting ?? []).map(({ url }, i): [string, string] => [`targeting[${i}].url`, url]),
    ...(request.variants ?? []).map(({ url }, i): [string, string] => [`variants[${i}].url`, url]),
  ];
  return found.filter((each): each is [string, string] => Boolean(each[1]));
}
