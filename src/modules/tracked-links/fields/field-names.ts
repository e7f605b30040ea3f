import type { TrackedLinkKind } from '../../clicks/click';

/** Request fields whose names differ between links and campaigns. */
export interface FieldNames {
  readonly alias: 'customAlias' | 'alias';
  /** In requests that create. */
  readonly destination: 'url' | 'originalUrl';
  readonly expiry: 'expirationDate' | 'expiresAt';
}

export const FIELD_NAMES: Readonly<Record<TrackedLinkKind, FieldNames>> = {
  link: { alias: 'customAlias', destination: 'url', expiry: 'expirationDate' },
  campaign: { alias: 'alias', destination: 'originalUrl', expiry: 'expiresAt' },
};
