import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { RateLimited } from '../../access/access.errors';
import { hashPassword } from '../../access/console/password';
import { FairSemaphore } from '../../common/fair-semaphore';
import { ValidationFailed } from '../../common/errors/errors';
import { Clock } from '../../common/time/clock';
import { toDateTime } from '../../common/time/format';
import { parseDateTime } from '../../common/time/parse';
import type { TrackedLinkKind } from '../clicks/click';
import { FIELD_NAMES, type FieldNames } from './fields/field-names';
import { checkTimes, newTrackedLink, suppliedFields } from './fields/tracked-link-fields';
import type { TrackedLinkFields } from './fields/tracked-link-fields.dto';
import type { TrackedLinkEntity } from './tracked-link.entity';
import { RequestCache, TrackedLinkRules } from './tracked-link-rules';
import type { NewTrackedLink } from './tracked-links.repository';

/** A request that creates or changes a link or campaign, whose `FieldNames` depend on the kind. */
export type DraftRequest = TrackedLinkFields &
  Partial<Record<FieldNames[keyof FieldNames], string | null>> & {
    /** The name of a campaign. */
    name?: string | null;
    customDomainId?: number | null;
    findIfExists?: boolean | null;
  };

/** A link or campaign that is not stored yet, without the columns that only campaigns have. */
export type Draft = NewTrackedLink<TrackedLinkEntity>;

/** Passwords hashed concurrently; few, so that logins and visitors find a free thread. */
const CONCURRENCY = 3;
/** Maximum number of waiting passwords of an organization. */
const MAX_QUEUED = 100;

/** Validates requests and converts them to rows. */
@Injectable()
export class TrackedLinkDrafts {
  private readonly hashing = new FairSemaphore(CONCURRENCY);

  constructor(
    private readonly rules: TrackedLinkRules,
    private readonly clock: Clock,
  ) {}

  /**
   * @param cache shared by the items of one request
   * @throws ReservedAlias, DESTINATION_NOT_ALLOWED, ValidationFailed, DomainNotUsable, APP_NOT_USABLE, RateLimited
   */
  async ofNew(
    caller: Caller,
    kind: TrackedLinkKind,
    request: DraftRequest,
    cache = new DraftCache(),
  ): Promise<Draft> {
    const { organizationId } = caller;
    const { password } = request;
    const names = FIELD_NAMES[kind];
    const alias = request[names.alias];
    if (request.findIfExists && password) {
      throw ValidationFailed.field('password', 'cannot be combined with findIfExists');
    }
    this.rules.checkAlias(names.alias, alias);
    this.rules.checkRouting(request);
    await this.rules.checkDestinations(organizationId, request, cache);
    const expiresAt = this.rules.expiryOf(names.expiry, request[names.expiry]);
    const domainId = await this.rules.domainIdOf(organizationId, request.customDomainId, cache);
    await this.rules.checkApps(organizationId, request, cache);
    const passwordHash = password
      ? await cache.passwordHash(password, () => this.hash(organizationId, password))
      : null;
    const originalUrl = request[names.destination] ?? '';
    const validated = { domainId, alias, originalUrl, expiresAt, passwordHash, now: this.clock.date() };
    const draft = newTrackedLink(caller, request, validated);
    checkTimes(request, draft);
    return draft;
  }

  /**
   * The fields that an update changes, given the present row.
   * @throws DESTINATION_NOT_ALLOWED, ValidationFailed, APP_NOT_USABLE, RateLimited
   */
  async ofUpdate(
    { organizationId }: Caller,
    kind: TrackedLinkKind,
    request: DraftRequest,
  ): Promise<(present: TrackedLinkEntity) => Partial<TrackedLinkEntity>> {
    const { password } = request;
    this.rules.checkRouting(request);
    await this.rules.checkDestinations(organizationId, request);
    await this.rules.checkApps(organizationId, request);
    const supplied = {
      ...suppliedFields(request),
      ...(password !== undefined && {
        passwordHash: password ? await this.hash(organizationId, password) : null,
      }),
    };
    return (present) => {
      const fields = { ...supplied, ...this.suppliedExpiry(FIELD_NAMES[kind].expiry, request, present) };
      checkTimes(request, fields, present);
      return fields;
    };
  }

  /** A stored expiry may be sent back unchanged, even if it is in the past. @throws ValidationFailed */
  private suppliedExpiry(
    name: FieldNames['expiry'],
    { [name]: expiry }: DraftRequest,
    present: TrackedLinkEntity,
  ): Partial<Pick<TrackedLinkEntity, 'expiresAt'>> {
    const isPresent = expiry && toDateTime(parseDateTime(expiry)) === toDateTime(present.expiresAt);
    return expiry === undefined || isPresent ? {} : { expiresAt: this.rules.expiryOf(name, expiry) };
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
export class DraftCache extends RequestCache {
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
