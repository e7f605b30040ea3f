import type { Type } from '@nestjs/common';
import type { TrackedLinkKind } from '../../clicks/click';
import type { AliasQuery } from '../aliases/alias-availability.dto';
import type { ImportedRow } from '../csv/imported-rows';
import type { TrackedLinkResponse } from '../fields/tracked-link.dto';
import type { TrackedLinkFilters } from '../list/tracked-link-list.dto';
import type { DraftRequest } from '../tracked-link-drafts';

/** How the API shows links or campaigns: the names and classes in which the two differ. */
export interface Face {
  readonly kind: TrackedLinkKind;
  /** Part of the operation ids, such as `ShortUrl`. */
  readonly operation: string;
  /** Such as `short link`. */
  readonly noun: string;
  /** Path of the collection, such as `urls`. */
  readonly path: 'urls' | 'campaigns';
  /** Field of a bulk result with what was created or found. */
  readonly item: 'url' | 'campaign';
  readonly csvExample: string;
  /** What a creation makes, as the description of its operation. */
  readonly created: string;
  readonly types: {
    readonly response: Type<TrackedLinkResponse>;
    readonly page: Type<object>;
    readonly create: Type<DraftRequest>;
    readonly update: Type<DraftRequest>;
    readonly save: Type<DraftRequest>;
    readonly list: Type<TrackedLinkFilters>;
    readonly filters: Type<TrackedLinkFilters>;
    readonly alias: Type<AliasQuery>;
    readonly row: Type<ImportedRow>;
    readonly bulk: Type<{ items: unknown[] }>;
    readonly bulkResponse: Type<object>;
  };
}
