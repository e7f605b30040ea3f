import { Inject, Injectable } from '@nestjs/common';
import type { TrackedLinkKind } from '../../clicks/click';
import { DEFAULT_DOMAIN } from '../tracked-link.entity';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { AppLookup } from '../../apps/cache/app-lookup.service';
import { DomainsService } from '../../domains/domains.service';
import { pastedAddress } from './pasted-address';

/** What a list is searched for. */
export interface Search {
  /** Part of the table's `search_text`, folded as that is. */
  text: string;
  /** What the text names as an address; null where it is none of the organization's. */
  address: SearchedAddress | null;
}

interface SearchedAddress {
  /** In lower case, as `search_text` begins with it. */
  code: string;
  /** Null for any domain. */
  domainIds: readonly number[] | null;
}

/** Understands searches for links and campaigns: part of a text, or a pasted address. */
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
