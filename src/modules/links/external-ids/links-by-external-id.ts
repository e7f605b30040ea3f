import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import { saveByExternalId, withExternalId } from '../../tracked-links/save-by-external-id';
import type { SaveLinkRequest } from '../links.dto';
import { LinksRepository } from '../links.repository';
import { LinksService } from '../links.service';
import type { ShortUrlResponse } from '../short-url.dto';

/** Links by the id that they have in the organization's own system (docs/concepts/links.md#external-ids). */
@Injectable()
export class LinksByExternalId {
  constructor(
    private readonly repository: LinksRepository,
    private readonly links: LinksService,
  ) {}

  /** @throws NotFound */
  async get(caller: Caller, externalId: string): Promise<ShortUrlResponse> {
    return this.links.get(caller, await this.idOf(caller, externalId));
  }

  /** Creates the link or changes it. @throws what `LinksService.create` and `update` throw */
  save(
    caller: Caller,
    externalId: string,
    body: SaveLinkRequest,
  ): Promise<{ isNew: boolean; saved: ShortUrlResponse }> {
    const { url, originalUrl, expiresAt, ...request } = withExternalId(externalId, body);
    if (url && originalUrl && url !== originalUrl) {
      throw ValidationFailed.field('originalUrl', 'must be equal to url, or omitted');
    }
    const destination = url ?? originalUrl;
    return saveByExternalId({
      find: async () =>
        (await this.repository.findByExternalId(caller.organizationId, externalId))?.id ?? null,
      create: async () => {
        if (!destination) throw ValidationFailed.field('url', 'is required');
        if (expiresAt) throw ValidationFailed.field('expiresAt', 'is called expirationDate here');
        return this.links.create(caller, { ...request, url: destination });
      },
      update: (id) => this.links.update(caller, id, { ...request, originalUrl: destination, expiresAt }),
    });
  }

  /** @throws NotFound */
  async remove(caller: Caller, externalId: string): Promise<void> {
    await this.links.remove(caller, await this.idOf(caller, externalId));
  }

  private async idOf({ organizationId }: Caller, externalId: string): Promise<number> {
    return (await this.repository.getByExternalId(organizationId, externalId)).id;
  }
}
