import { DEFAULT_DOMAIN } from '../tracked-links/tracked-link.entity';
import type { Config } from '../../config/config';
import type { KnownDomain } from '../domains/domain-cache';

/** Where a request has come in: a custom domain, or the default one, which is nobody's own. */
export type ShortDomain = Pick<KnownDomain, 'id' | 'rootUrl' | 'notFoundUrl' | 'expiredUrl'> & {
  readonly organizationId: number | null;
};

export function defaultDomain({ shortDomain }: Config): ShortDomain {
  return { id: DEFAULT_DOMAIN, organizationId: null, ...shortDomain };
}
