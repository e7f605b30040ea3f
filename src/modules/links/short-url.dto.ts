import { Field } from '../../common/http/api-field';
import { codeSegment } from '../domains/codes';
import { pageOf } from '../../common/pagination/page';
import {
  type TrackedLinkContext,
  TrackedLinkResponse,
  toTrackedLinkResponse,
} from '../tracked-links/fields/tracked-link.dto';
import type { Link } from './link.entity';
import { trackedLinkAddress } from '../tracked-links/tracked-link-address';
import type { TrackedLinkPlace } from '../tracked-links/tracked-link-places';

/** A short link in responses (docs/concepts/links.md#addresses). */
export class ShortUrlResponse extends TrackedLinkResponse {
  @Field(
    'Complete short URL; on a custom domain only the code: `https://<customDomainName>/<shortUrl>`. `link` is always complete',
    'https://go.example.com/aZ3kQ9x',
  )
  shortUrl!: string;
}

export class ShortUrlPage extends pageOf(ShortUrlResponse, 'ShortUrlPage') {}

export function toShortUrlResponse(link: Link, context: TrackedLinkContext): ShortUrlResponse {
  const { id, ...shared } = toTrackedLinkResponse('link', link, context);
  return {
    id,
    shortUrl: shortUrl(link.code, context),
    ...shared,
  };
}

/** The field `shortUrl`: the complete URL on the default domain, only the code on a custom one. */
function shortUrl(code: string, place: TrackedLinkPlace): string {
  return place.domainName === null ? trackedLinkAddress('link', code, place) : codeSegment(code);
}
