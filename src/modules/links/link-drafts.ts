import { Injectable } from '@nestjs/common';
import type { AuditChanges } from '../../access/audit/audit-entry.entity';
import type { Caller } from '../../access/caller';
import { RateLimited } from '../../access/access.errors';
import { hashPassword } from '../../access/console/password';
import { FairSemaphore } from '../../common/fair-semaphore';
import { ValidationFailed } from '../../common/errors/errors';
import { Clock } from '../../common/time/clock';
import { RequestCache, TrackedLinkRules } from '../tracked-links/tracked-link-rules';
import { checkTimes, newTrackedLink, suppliedFields } from '../tracked-links/fields/tracked-link-fields';
import type { NewTrackedLink } from '../tracked-links/tracked-links.repository';
import type { Link } from './link.entity';
import { suppliedRouting } from '../tracked-links/routing/routing-fields';
import type { CreateLinkRequest, UpdateLinkRequest } from './links.dto';

/** A link that is not stored yet. Without an alias, its code is generated on insert. */
export type NewLink = NewTrackedLink<Link>;

/** Passwords hashed concurrently; few, so that logins and visitors find a free thread. */
const CONCURRENCY = 3;
/** Maximum number of waiting passwords of an organization. */
const MAX_QUEUED = 100;

/** Validates requests and converts them to rows. */
@Injectable()
export class LinkDrafts {
  private readonly hashing = new FairSemaphore(CONCURRENCY);

  constructor(
    private readonly rules: TrackedLinkRules,
    private readonly clock: Clock,
  ) {}

  /**
   * @param cache shared by the links of one request
   * @throws ReservedAlias, DestinationNotAllowed, ValidationFailed, DomainNotUsable, AppNotUsable, RateLimited
   */
  async ofNew(caller: Caller, request: CreateLinkRequest, cache = new LinkRequestCache()): Promise<NewLink> {
    const { organizationId } = caller;
    if (request.findIfExists && request.password) {
      throw ValidationFailed.field('password', 'cannot be combined with findIfExists');
    }
    this.rules.checkAlias('customAlias', request.customAlias);
    this.rules.checkRouting(request);
    await this.rules.checkDestinations(organizationId, request, cache);
    const expiresAt = this.rules.expiryOf('expirationDate', request.expirationDate);
    const domainId = await this.rules.domainIdOf(organizationId, request.customDomainId, cache);
    await this.rules.checkApps(organizationId, request, cache);
    const { password } = request;
    const passwordHash = password
      ? await cache.passwordHash(password, () => this.hash(organizationId, password))
      : null;
    const { customAlias: alias, url: originalUrl } = request;
    const validated = { domainId, alias, originalUrl, expiresAt, now: this.clock.date() };
    const shared = newTrackedLink(caller, request, validated);
    checkTimes(request, shared);
    return { ...shared, ...extrasOf(request), passwordHash, usedClicks: 0 };
  }

  /** The fields that an update changes. @throws DestinationNotAllowed, ValidationFailed, AppNotUsable, RateLimited */
  async ofUpdate({ organizationId }: Caller, request: UpdateLinkRequest): Promise<Partial<Link>> {
    const { password, expirationDate } = request;
    this.rules.checkRouting(request);
    await this.rules.checkDestinations(organizationId, request);
    const expiresAt = this.rules.expiryOf('expirationDate', expirationDate);
    await this.rules.checkApps(organizationId, request);
    return {
      ...suppliedFields(request),
      ...suppliedExtras(request),
      ...(expirationDate !== undefined && { expiresAt }),
      ...(password !== undefined && {
        passwordHash: password ? await this.hash(organizationId, password) : null,
      }),
    };
  }

  /** Cheaper than for users' passwords, because anybody can make the service verify a guess. @throws RateLimited */
  private async hash(organizationId: number, password: string): Promise<string> {
    if (this.hashing.queuedOf(organizationId) >= MAX_QUEUED)
      throw new RateLimited(1, 'Too many passwords at once');
    return this.hashing.run(organizationId, () => hashPassword(password, { log2N: 14, r: 8, p: 1 }));
  }
}

const MAX_PASSWORDS = 20;

/** Also hashes each distinct password of a request only once, because hashing is slow by design. */
export class LinkRequestCache extends RequestCache {
  private passwords = 0;

  /** @throws ValidationFailed for a password beyond the twentieth */
  passwordHash(password: string, hash: () => Promise<string>): Promise<string> {
    return this.once(`password/${password}`, async () => {
      if (++this.passwords > MAX_PASSWORDS) {
        throw ValidationFailed.field('password', `must be one of at most ${MAX_PASSWORDS} in one request`);
      }
      return hash();
    });
  }
}

/** Fields that campaigns do not have, except the password, which is hashed asynchronously. */
type Extras = Pick<Link, 'tags' | 'tagKeys' | 'maxClicks' | 'targeting' | 'variants'>;

const NO_EXTRAS: Extras = { tags: [], tagKeys: [], maxClicks: null, targeting: null, variants: null };

function extrasOf(request: CreateLinkRequest): Extras {
  return { ...NO_EXTRAS, ...suppliedExtras(request) };
}

/** The extras in a request; null and an empty list clear them. */
function suppliedExtras(request: CreateLinkRequest | UpdateLinkRequest): Partial<Extras> {
  const { tags, maxClicks } = request;
  return {
    ...(tags !== undefined && tagsOf(tags ?? [])),
    ...(maxClicks !== undefined && { maxClicks }),
    ...suppliedRouting(request),
  };
}

/** Of tags that differ in letter case only, the first is stored. */
export function tagsOf(tags: readonly string[]): Pick<Extras, 'tags' | 'tagKeys'> {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag.trim());
  return { tags: [...byKey.values()], tagKeys: [...byKey.keys()] };
}

/** The form in which tags are compared. */
export function tagKey(tag: string): string {
  return tag.trim().toLowerCase();
}

/** Changes for the audit log: whether there is a password, but not its hash, and tags without their keys. */
export function auditedChanges({ passwordHash, tagKeys, ...changes }: AuditChanges): AuditChanges {
  if (!passwordHash) return changes;
  const stated = (hash: unknown) => (hash === null ? null : 'set');
  return { ...changes, password: { from: stated(passwordHash.from), to: stated(passwordHash.to) } };
}
