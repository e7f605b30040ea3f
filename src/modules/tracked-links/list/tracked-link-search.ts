import { Inject, Injectable } from '@nestjs/common';
import type { TrackedLinkKind } from '../../clicks/click';
import { DEFAULT_DOMAIN } from '../tracked-link.entity';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { AppLookup } from '../../apps/cache/app-lookup.service';
import { DomainsService } from '../../domains/domains.service';
import { pastedAddress } from './pasted-address';

export interface Search {
  /** Substring of the table's `search_text`, in the same case folding. */
  text: string;
  /** The text parsed as a short URL; null when it is none of the organization's. */
  address: SearchedAddress | null;
}

interface SearchedAddress {
  /** In lower case, as at the start of `search_text`. */
  code: string;
  /** Null for any domain. */
  domainIds: readonly number[] | null;
}

/** Interprets search terms for links and campaigns: a substring or a pasted short URL. */
@Injectable()
export class TrackedLinkSearch {
  private readonly shortHost: string;

  constructor(
    private readonly apps: AppLookup,
    private readonly domains: DomainsService,
    @Inject(CONFIG) config: Config,
  ) {
    this.shortHost = new URL(config.shortUrlBase).hostname;
  }

  /** @returns null when there is nothing to search for */
  async of(
    kind: TrackedLinkKind,
    organizationId: number,
    given: string | null | undefined,
    fold: (text: string) => string,
  ): Promise<Search | null> {
    const text = given?.trim();
    if (!text) return null;
    return { text: fold(text), address: await this.addressIn(kind, organizationId, text) };
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
    return host === this.shortHost ? [DEFAULT_DOMAIN] : this.domains.idsOf(organizationId, host);
  }
}
