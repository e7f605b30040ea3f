import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import { Clock } from '../../../common/time/clock';
import { parseDateTime } from '../../../common/time/parse';
import { checkedRequest } from '../../../common/validation/request.pipe';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { DomainNotUsable } from '../../domains/domains.errors';
import { DomainsService } from '../../domains/domains.service';
import { isReservedWord } from '../../domains/reserved-words';
import { LinkDrafts, type LinkRequestCache, type NewLink } from '../link-drafts';
import { ImportedLink } from './imported-link.dto';

const DAY_MS = 86_400_000;
/** What a generated code looks like: an export has it as it was, and an import keeps it as one. */
const GENERATED = /^[0-9A-Za-z]{7}$/;

type Row = Partial<Record<keyof ImportedLink, unknown>>;

/** Turns rows of an import into what is stored: by the rules of single links, with what a backup knows beyond. */
@Injectable()
export class ImportedLinks {
  private readonly ownHost: string;

  constructor(
    private readonly drafts: LinkDrafts,
    private readonly domains: DomainsService,
    private readonly clock: Clock,
    @Inject(CONFIG) { shortUrlBase }: Config,
  ) {
    this.ownHost = new URL(shortUrlBase).hostname;
  }

  /**
   * @param row by field, unchecked
   * @throws ValidationFailed, ReservedAlias, DestinationNotAllowed, DomainNotUsable, AppNotUsable
   */
  async draftOf(caller: Caller, row: Row, lookups: LinkRequestCache): Promise<NewLink> {
    const given = await checkedRequest(ImportedLink, this.named(row), 'row');
    if (given.hasPassword && !given.password) {
      throw ValidationFailed.field('password', 'must be given, as the link had one; exports do not hold it');
    }
    const createdAt = this.creationOf(given);
    const known = createdAt && { createdAt, expiresAt: expiryOf(given, createdAt) };
    // A new link's expiry lies ahead; this one may have had its time.
    if (known) given.expirationDate = null;
    given.customDomainId = await this.domainIdOf(caller, given, lookups);
    const draft = await this.drafts.ofNew(caller, given, lookups);
    return {
      ...draft,
      ...(given.code && { code: given.code }),
      ...known,
      deduplicationWindowMinutes: windowOf(caller, given),
    };
  }

  /** The row with one name for its address: `code` where it is a generated one, else `customAlias`. */
  private named({ password, ...row }: Row): Row {
    const alias = textOf(row.customAlias) ?? textOf(row.code);
    const address = addressOf(textOf(row.shortUrl) ?? '');
    const own = addressOf(alias ?? '');
    let name = own.path;
    if (alias === undefined && row.shortUrl !== undefined) {
      // The path of an app stands before the code.
      name = address.host === this.ownHost ? address.path.replace(/^.*\//, '') : address.path;
      if (name === '') throw ValidationFailed.field('shortUrl', 'must have a path, which becomes the alias');
    }
    const kept = row.customAlias === undefined && row.code !== undefined && isGenerated(name);
    // Some exports have whether there is a password in the place of the password.
    const stated = /^(true|false)$/i.exec(textOf(password) ?? '')?.[1]?.toLowerCase();
    return {
      ...row,
      code: kept ? name : undefined,
      customAlias: kept || name === '' ? undefined : name,
      domain: textOf(row.domain) ?? own.host ?? address.host ?? undefined,
      ...(stated === undefined ? { password } : { hasPassword: stated === 'true' }),
    };
  }

  /** Days of other time zones, and today's date alone, may seem to lie ahead. @throws ValidationFailed */
  private creationOf({ createdAt }: ImportedLink): Date | null {
    const time = createdAt ? parseDateTime(createdAt)?.getTime() : undefined;
    if (time === undefined) return null;
    if (time > this.clock.now() + DAY_MS)
      throw ValidationFailed.field('createdAt', 'must not be in the future');
    return new Date(Math.min(time, this.clock.now()));
  }

  /** By name, which another installation shares, then by id. @throws DomainNotUsable */
  private async domainIdOf(
    { organizationId }: Caller,
    { customDomainName, customDomainId, domain }: ImportedLink,
    lookups: LinkRequestCache,
  ): Promise<number | null> {
    const name = customDomainName || (customDomainId ? null : domain);
    if (!name) return customDomainId ?? null;
    const host = addressOf(name.includes('/') ? name : `${name}/`).host ?? name;
    const find = () => this.domains.findUsableByName(organizationId, host);
    const found = await lookups.once(`domain-name/${host}`, find);
    if (!found && customDomainName) throw new DomainNotUsable();
    return found?.id ?? null;
  }
}

/** @throws ValidationFailed when the link was never to be used */
function expiryOf({ expirationDate }: ImportedLink, createdAt: Date): Date | null {
  const expiresAt = expirationDate ? parseDateTime(expirationDate) : null;
  if (expiresAt && expiresAt <= createdAt) {
    throw ValidationFailed.field('expirationDate', 'must be after createdAt');
  }
  return expiresAt;
}

/** @throws ValidationFailed */
function windowOf({ organization }: Caller, { deduplicationWindowMinutes }: ImportedLink): number | null {
  const cap = organization.deduplicationCapMinutes;
  if (deduplicationWindowMinutes && deduplicationWindowMinutes > cap) {
    const message = `must be an integer from 1 to ${cap}, the cap of plan ${organization.plan}`;
    throw ValidationFailed.field('deduplicationWindowMinutes', message);
  }
  return deduplicationWindowMinutes ?? null;
}

function isGenerated(code: string): boolean {
  return GENERATED.test(code) && !isReservedWord(code);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** `https://host/path`, `host/path`, `/path` or `path`; without slashes at its ends. */
function addressOf(text: string): { host: string | null; path: string } {
  const isComplete = /^https?:\/\//i.test(text) || /^[^/]*\.[^/]*\//.test(text);
  const address = isComplete ? text.replace(/^(https?:\/\/)?/i, 'https://') : null;
  const url = address === null ? null : URL.parse(address);
  if (!url) return { host: null, path: withoutSlashes(text) };
  const { hostname, pathname } = url;
  return { host: hostname, path: withoutSlashes(decoded(pathname)) };
}

function withoutSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
