import type { LinkTarget } from '../links/link-directory';

/** What a path of a short domain leads to; campaigns join here. */
export type Target = LinkTarget;
