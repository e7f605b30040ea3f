import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../common/errors/errors';
import { toDateTime } from '../../common/time/format';
import { parseDateTime } from '../../common/time/parse';
import { checkLasting } from '../tracked-links/fields/tracked-link-fields';
import { TrackedLinkFilter } from '../tracked-links/list/tracked-link-filter';
import type { TrackedLinkFilters } from '../tracked-links/list/tracked-link-list.dto';
import type { DraftRequest } from '../tracked-links/tracked-link-drafts';
import { TrackedLinkParts, TrackedLinksService } from '../tracked-links/tracked-links.service';
import type { Link } from './link.entity';
import { LinkLimit } from './link-limit';
import { CreateLinkRequest } from './links.dto';
import { type CountedLink, LinksRepository } from './links.repository';
import { type ShortUrlResponse, toShortUrlResponse } from './short-url.dto';

/** Folds case as `links.search_text` does: ASCII only. */
const foldAscii = (text: string) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

@Injectable()
export class LinksService extends TrackedLinksService<Link, ShortUrlResponse> {
  override readonly createRequest = CreateLinkRequest;

  constructor(parts: TrackedLinkParts, rows: LinksRepository, limit: LinkLimit) {
    super(parts, { rows, limit });
  }

  override async show(organizationId: number, links: readonly CountedLink[]): Promise<ShortUrlResponse[]> {
    const placeOf = await this.parts.places.findMany(organizationId, links);
    return links.map((link) =>
      toShortUrlResponse(link, { ...placeOf(link), clickCount: link.clickCount, health: link.health }),
    );
  }

  override async filterOf(organizationId: number, query: TrackedLinkFilters): Promise<TrackedLinkFilter> {
    const { searches, clock } = this.parts;
    const search = await searches.of('link', organizationId, query.keyword, foldAscii);
    const filter = new TrackedLinkFilter({ kind: 'link', organizationId, search, now: clock.date() }, query);
    const all = await searches.of('link', organizationId, query.search, foldAscii);
    if (query.search && all)
      filter.addSearchOfAll(all, await searches.partOfAddress(organizationId, query.search));
    return filter;
  }

  override forCreation(request: DraftRequest): DraftRequest {
    const { expiresAt, ...rest } = withOneDestination(request);
    if (!rest.url) throw ValidationFailed.field('url', 'is required');
    if (expiresAt) throw ValidationFailed.field('expiresAt', 'is called expirationDate here');
    return rest;
  }

  override forUpdate(request: DraftRequest): DraftRequest {
    const { url, ...rest } = withOneDestination(request);
    return { ...rest, originalUrl: url };
  }

  protected override checkUnchanged(link: Link, { url, originalUrl, expiresAt }: DraftRequest): void {
    if (url !== originalUrl)
      checkLasting('url', url ?? undefined, link.originalUrl, ' here: send originalUrl');
    const expiry = expiresAt && toDateTime(parseDateTime(expiresAt));
    checkLasting('expiresAt', expiry, toDateTime(link.expiresAt), ' here: send expirationDate');
  }
}

/** The request with its destination in `url` only. @throws ValidationFailed if it has two destinations */
function withOneDestination({ url, originalUrl, ...request }: DraftRequest): DraftRequest {
  if (url && originalUrl && url !== originalUrl)
    throw ValidationFailed.field('originalUrl', 'must be equal to url, or omitted');
  return { ...request, url: url ?? originalUrl };
}
