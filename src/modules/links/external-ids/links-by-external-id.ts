import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../common/errors/errors';
import { ExternalIds } from '../../tracked-links/external-ids';
import type { SaveLinkRequest } from '../links.dto';
import { LinksRepository } from '../links.repository';
import { LinksService } from '../links.service';
import type { ShortUrlResponse } from '../short-url.dto';

@Injectable()
export class LinksByExternalId extends ExternalIds<SaveLinkRequest, ShortUrlResponse> {
  constructor(repository: LinksRepository, links: LinksService) {
    super(repository, {
      get: (caller, id) => links.get(caller, id),
      create: (caller, body) => {
        const { url, expiresAt, ...request } = unambiguous(body);
        if (!url) throw ValidationFailed.field('url', 'is required');
        if (expiresAt) throw ValidationFailed.field('expiresAt', 'is called expirationDate here');
        return links.create(caller, { ...request, url });
      },
      update: (caller, id, body) => {
        const { url, ...request } = unambiguous(body);
        return links.update(caller, id, { ...request, originalUrl: url });
      },
      remove: (caller, id) => links.remove(caller, id),
    });
  }
}

/** The request with its destination in `url` only. @throws ValidationFailed if it has two destinations */
function unambiguous({
  url,
  originalUrl,
  ...request
}: SaveLinkRequest): Omit<SaveLinkRequest, 'originalUrl'> {
  if (url && originalUrl && url !== originalUrl)
    throw ValidationFailed.field('originalUrl', 'must be equal to url, or omitted');
  return { ...request, url: url ?? originalUrl };
}
