import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { hashPassword } from '../../access/users/password';
import { ValidationFailed } from '../../common/errors/errors';
import { Clock } from '../../common/time/clock';
import { RequestCache, TrackedLinkRules } from '../tracked-links/tracked-link-rules';
import { newTrackedLink } from '../tracked-links/fields/new-tracked-link';
import { suppliedFields } from '../tracked-links/fields/tracked-link-fields';
import type { NewTrackedLink } from '../tracked-links/tracked-links.repository';
import type { Link } from './link.entity';
import { extrasOf, suppliedExtras } from './link-extras';
import type { CreateLinkRequest, UpdateLinkRequest } from './links.dto';

/** A link that is not stored yet; without an alias its code is still to be made. */
export type NewLink = NewTrackedLink<Link>;

/** Turns requests into what is stored, by the rules for what their fields may mean. */
@Injectable()
export class LinkDrafts {
  constructor(
    private readonly rules: TrackedLinkRules,
    private readonly clock: Clock,
  ) {}

  /**
   * @param cache shared by the links of one request
   * @throws ReservedAlias, DestinationNotAllowed, ValidationFailed, DomainNotUsable, AppNotUsable
   */
  async ofNew(caller: Caller, request: CreateLinkRequest, cache = new LinkRequestCache()): Promise<NewLink> {
    const { organizationId } = caller;
    this.rules.checkAlias('customAlias', request.customAlias);
    checkRouting(request);
    await this.rules.checkDestinations(request, cache);
    const expiresAt = this.rules.expiryOf('expirationDate', request.expirationDate);
    const domainId = await this.rules.domainIdOf(organizationId, request.customDomainId, cache);
    await this.rules.checkApps(organizationId, request, cache);
    const passwordHash = request.password ? await cache.passwordHash(request.password) : null;
    const { customAlias: alias, url: originalUrl } = request;
    const given = { domainId, alias, originalUrl, expiresAt, now: this.clock.date() };
    return { ...newTrackedLink(caller, request, given), ...extrasOf(request), passwordHash, usedClicks: 0 };
  }

  /** What an update changes. @throws DestinationNotAllowed, ValidationFailed, AppNotUsable */
  async ofUpdate({ organizationId }: Caller, request: UpdateLinkRequest): Promise<Partial<Link>> {
    const { password, expirationDate } = request;
    checkRouting(request);
    await this.rules.checkDestinations(request);
    const expiresAt = this.rules.expiryOf('expirationDate', expirationDate);
    await this.rules.checkApps(organizationId, request);
    return {
      ...suppliedFields(request),
      ...suppliedExtras(request),
      ...(expirationDate !== undefined && { expiresAt }),
      ...(password !== undefined && { passwordHash: password ? await hashLinkPassword(password) : null }),
    };
  }
}

/** A fifth of what a user's password costs: anybody may make the service look at a guess, if only so often. */
function hashLinkPassword(password: string): Promise<string> {
  return hashPassword(password, { log2N: 14, r: 8, p: 1 });
}

const MAX_PASSWORDS = 20;

/** Looks up what links need; hashing is slow by design, so links of one request share it by password. */
export class LinkRequestCache extends RequestCache {
  private passwords = 0;

  /** @throws ValidationFailed for a password beyond the twentieth */
  passwordHash(password: string): Promise<string> {
    return this.once(`password/${password}`, async () => {
      if (++this.passwords > MAX_PASSWORDS) {
        throw ValidationFailed.field('password', `must be one of at most ${MAX_PASSWORDS} in one request`);
      }
      return hashLinkPassword(password);
    });
  }
}

function checkRouting({ targeting, variants }: CreateLinkRequest | UpdateLinkRequest): void {
  for (const [i, { countries, devices, os }] of (targeting ?? []).entries()) {
    if (!countries?.length && !devices?.length && !os?.length) {
      throw ValidationFailed.field(`targeting[${i}]`, 'must name countries, devices or os');
    }
  }
  if (variants?.length === 1) throw ValidationFailed.field('variants', 'must have 2 to 10 items, or none');
}
