import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import { Clock } from '../../../common/time/clock';
import { parseDateTime } from '../../../common/time/parse';
import { checkedRequest } from '../../../common/validation/request.pipe';
import { Config } from '../../../config/config';
import { isWord, legacyCodeProblem } from '../../domains/codes';
import { DomainNotUsable, ReservedAlias } from '../../domains/domains.errors';
import { DomainsService } from '../../domains/domains.service';
import { isReservedWord } from '../../domains/reserved-words';
import { FIELD_NAMES, type FieldNames } from '../fields/field-names';
import type { TrackedLinkResponse } from '../fields/tracked-link.dto';
import { checkTimes } from '../fields/tracked-link-fields';
import type { DraftCache, DraftRequest } from '../tracked-link-drafts';
import type { TrackedLinkEntity } from '../tracked-link.entity';
import type { NewTrackedLink } from '../tracked-links.repository';
import type { TrackedLinksService } from '../tracked-links.service';
import type { BackupFields } from './backup-fields.dto';

const DAY_MS = 86_400_000;
/** Form of a generated code. Codes of this form in an export stay generated codes instead of becoming aliases. */
const GENERATED = /^[0-9A-Za-z]{7}$/;

type Row = Readonly<Record<string, unknown>>;
export type ImportedRow = DraftRequest & BackupFields;

/** Converts rows of an import to drafts, by the rules for single ones, and with the fields that only a backup has. */
@Injectable()
export class ImportedRows {
  private readonly ownHost: string;

  constructor(
    private readonly domains: DomainsService,
    private readonly clock: Clock,
    { shortUrlBase }: Config,
  ) {
    this.ownHost = new URL(shortUrlBase).hostname;
  }

  /**
   * @param row values by field, not yet validated
   * @throws ValidationFailed, ReservedAlias, DESTINATION_NOT_ALLOWED, DomainNotUsable, APP_NOT_USABLE
   */
  async draftOf<T extends TrackedLinkEntity, R extends TrackedLinkResponse>(
    service: TrackedLinksService<T, R>,
    requestClass: new () => ImportedRow,
    caller: Caller,
    row: Row,
    lookups: DraftCache,
  ): Promise<NewTrackedLink<T>> {
    const names = FIELD_NAMES[service.rows.kind];
    const request = await checkedRequest(requestClass, this.named(names.alias, row), 'row');
    if (request.hasPassword && !request.password) {
      throw ValidationFailed.field(
        'password',
        'is required, because the link had one and exports do not contain it',
      );
    }
    const createdAt = this.creationOf(request);
    const known = createdAt && { createdAt, expiresAt: expiryOf(names.expiry, request, createdAt) };
    // New ones must expire in the future, but imported ones may have expired.
    if (known) request[names.expiry] = null;
    request.customDomainId = await this.domainIdOf(caller, request, lookups);
    const draft = await service.draftOf(caller, request, lookups);
    checkTimes(request, { ...draft, ...known });
    return {
      ...draft,
      ...(request.code && { code: request.code }),
      ...(request.legacyCode && { code: request.legacyCode, isAlias: true }),
      ...known,
      deduplicationWindowMinutes: windowOf(caller, request),
      importedClicks: (request.importedClicks ?? 0) + (request.clickCount ?? 0),
    };
  }

  /**
   * The row with its code in one field: `code` if it looks generated, the alias, or `legacyCode` if aliases have other
   * characters. @throws ValidationFailed, ReservedAlias
   */
  private named(field: FieldNames['alias'], { password, ...row }: Row): Row {
    const alias = textOf(row[field]) ?? textOf(row.code);
    const address = addressOf(textOf(row.shortUrl) ?? '');
    const own = addressOf(alias ?? '');
    let name = own.path;
    if (alias === undefined && row.shortUrl !== undefined) {
      // The code is the last segment, after an app's namespace and the `c` of campaigns.
      name =
        address.host === this.ownHost || field === 'alias' ? address.path.replace(/^.*\//, '') : address.path;
      if (name === '') throw ValidationFailed.field('shortUrl', 'must have a path, which becomes the alias');
    }
    const isLegacy = name !== '' && !isWord(name);
    const problem = isLegacy ? legacyCodeProblem(name) : null;
    if (problem) throw ValidationFailed.field(field, problem);
    if (isLegacy && isReservedWord(name)) throw new ReservedAlias(field);
    const isCode = row[field] === undefined && row.code !== undefined && isGenerated(name);
    // Some exports only state whether there is a password, in a column called `password`.
    const stated = /^(true|false)$/i.exec(textOf(password) ?? '')?.[1]?.toLowerCase();
    return {
      ...row,
      code: isCode ? name : undefined,
      legacyCode: isLegacy ? name : undefined,
      [field]: isCode || isLegacy || name === '' ? undefined : name,
      domain: textOf(row.domain) ?? own.host ?? address.host ?? undefined,
      ...(stated === undefined ? { password } : { hasPassword: stated === 'true' }),
    };
  }

  /**
   * Tolerates a day in the future, because dates without a time zone may be in another one. @throws ValidationFailed
   */
  private creationOf({ createdAt }: BackupFields): Date | null {
    const time = createdAt ? parseDateTime(createdAt)?.getTime() : undefined;
    if (time === undefined) return null;
    if (time > this.clock.now() + DAY_MS)
      throw ValidationFailed.field('createdAt', 'must not be in the future');
    return new Date(Math.min(time, this.clock.now()));
  }

  /** Names take precedence over ids, which differ between installations. @throws DomainNotUsable */
  private async domainIdOf(
    { organizationId }: Caller,
    { customDomainName, customDomainId, domain }: ImportedRow,
    lookups: DraftCache,
  ): Promise<number | null> {
    const name = customDomainName || (customDomainId ? null : domain);
    if (!name) return customDomainId ?? null;
    const host = addressOf(name.includes('/') ? name : `${name}/`).host ?? name;
    const find = () => this.domains.findUsableByName(organizationId, host);
    const found = await lookups.once(`domain-name/${host}`, find);
    if (!found && customDomainName) throw new DomainNotUsable('customDomainName');
    return found?.id ?? null;
  }
}

/** @throws ValidationFailed if the expiry is not after the creation */
function expiryOf(field: FieldNames['expiry'], row: ImportedRow, createdAt: Date): Date | null {
  const expiry = row[field];
  const expiresAt = expiry ? parseDateTime(expiry) : null;
  if (expiresAt && expiresAt <= createdAt) {
    throw ValidationFailed.field(field, 'must be after createdAt');
  }
  return expiresAt;
}

/** @throws ValidationFailed */
function windowOf({ organization }: Caller, { deduplicationWindowMinutes }: BackupFields): number | null {
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

/** Parses `https://host/path`, `host/path`, `/path` or `path`; the returned path has no leading or trailing slashes. */
function addressOf(text: string): { host: string | null; path: string } {
  const isComplete = /^https?:\/\//i.test(text) || /^[^/.]*\.[^/]*\//.test(text);
  const address = isComplete ? text.replace(/^(https?:\/\/)?/i, 'https://') : null;
  const url = address === null ? null : URL.parse(address);
  if (!url) return { host: null, path: withoutSlashes(text) };
  const { hostname, pathname } = url;
  return { host: hostname, path: withoutSlashes(decoded(pathname)) };
}

function withoutSlashes(path: string): string {
  let [start, end] = [0, path.length];
  while (path[start] === '/') start++;
  while (end > start && path[end - 1] === '/') end--;
  return path.slice(start, end);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
