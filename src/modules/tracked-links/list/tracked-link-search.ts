import { Injectable } from '@nestjs/common';
import { Database } from '../../../infrastructure/database/database';
import { TRACKED_LINK_KIND, type TrackedLinkKind } from '../../clicks/click';
import { DEFAULT_DOMAIN_ID } from '../tracked-link.entity';
import { Config } from '../../../config/config';
import { AppLookup } from '../../apps/cache/app-lookup.service';
import { isWord } from '../../domains/codes';
import { DomainsService } from '../../domains/domains.service';
import { pastedAddress } from './pasted-address';

export interface Search {
  /** Substring of the table's `search_text`, with the same case folding. */
  text: string;
  /** The text parsed as a short URL of the organization, if it is one. */
  address: SearchedAddress | null;
  /** Ids of those with the text, or the code in the address, as a former alias. */
  formerIds: readonly number[];
}

interface SearchedAddress {
  /** In lower case, like the start of `search_text`. */
  code: string;
  /** Null for any domain. */
  domainIds: readonly number[] | null;
}

/** The text as a part of a displayed short URL: of its host, or the end of the host and the start of the code. */
export interface PartOfAddress {
  domainIds: readonly number[];
  /** In lower case; empty matches every code. */
  code: string;
}

/** Interprets search terms for links and campaigns, as a substring or a pasted short URL. */
@Injectable()
export class TrackedLinkSearch {
  private readonly shortHost: string;

  constructor(
    private readonly apps: AppLookup,
    private readonly domains: DomainsService,
    private readonly database: Database,
    config: Config,
  ) {
    this.shortHost = new URL(config.shortUrlBase).hostname;
  }

  /** @returns null if there is nothing to search for */
  async of(
    kind: TrackedLinkKind,
    organizationId: number,
    search: string | null | undefined,
    fold: (text: string) => string,
  ): Promise<Search | null> {
    const text = search?.trim();
    if (!text) return null;
    const address = await this.addressIn(kind, organizationId, text);
    const code = address?.code ?? (isWord(text) ? text : null);
    const formerIds = code === null ? [] : await this.formerIdsOf(kind, organizationId, code, address);
    return { text: fold(text), address, formerIds };
  }

  /** @returns null if no domain of the organization has such a host */
  async partOfAddress(organizationId: number, search: string): Promise<PartOfAddress | null> {
    const text = search
      .trim()
      .toLowerCase()
      .replace(/^https?:\/\//, '');
    const [host = '', ...path] = text.split('/');
    const code = path.at(-1) ?? '';
    if (host === '' || !/^[a-z0-9_-]*$/.test(code)) return null;
    const domainIds = await this.domains.idsOfPart(organizationId, host, path.length > 0);
    // All links without a custom domain are on the default domain, so matching a part of its name would match them all.
    const isDefault = path.length > 0 ? this.shortHost.endsWith(host) : this.shortHost.includes(host);
    if (isDefault && (path.length > 0 || host.includes('.'))) domainIds.push(DEFAULT_DOMAIN_ID);
    return domainIds.length === 0 ? null : { domainIds, code };
  }

  private async formerIdsOf(
    kind: TrackedLinkKind,
    organizationId: number,
    code: string,
    address: SearchedAddress | null,
  ): Promise<number[]> {
    const rows = await this.database.reportRows<{ id: number }>(
      organizationId,
      `SELECT tracked_link_id AS id FROM former_codes
        WHERE organization_id = $1 AND kind = $2 AND lower(code) = lower($3) AND leads
          AND ($4::bigint[] IS NULL OR domain_id = ANY ($4))`,
      [organizationId, TRACKED_LINK_KIND[kind], code, address?.domainIds ?? null],
    );
    return rows.map(({ id }) => id);
  }

  private async addressIn(
    kind: TrackedLinkKind,
    organizationId: number,
    text: string,
  ): Promise<SearchedAddress | null> {
    const pasted = pastedAddress(kind, text);
    if (!pasted) return null;
    const { host, appPath, code } = pasted;
    if (appPath !== null && !(await this.apps.hasPath(organizationId, appPath))) return null;
    const domainIds = host === null ? null : await this.domainIdsOf(organizationId, host);
    return domainIds?.length === 0 ? null : { code: code.toLowerCase(), domainIds };
  }

  private async domainIdsOf(organizationId: number, host: string): Promise<number[]> {
    return host === this.shortHost ? [DEFAULT_DOMAIN_ID] : this.domains.idsOf(organizationId, host);
  }
}
