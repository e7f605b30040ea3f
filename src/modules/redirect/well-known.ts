import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import {
  AppAssociations,
  ASSOCIATION_PATHS,
  type AssociationFiles,
} from '../apps/associations/app-associations';

const FILES: ReadonlyMap<string, keyof AssociationFiles> = new Map([
  [ASSOCIATION_PATHS.appleAppSiteAssociation, 'appleAppSiteAssociation'],
  [ASSOCIATION_PATHS.assetLinks, 'assetLinks'],
]);
/** In seconds; shorter than the caches of Apple and Google. */
const MAX_AGE = 300;

/**
 * App association files, which tell phones which apps open a domain's links, and must not be redirects
 * (docs/concepts/apps.md#association-files).
 */
@Injectable()
export class WellKnown {
  constructor(private readonly associations: AppAssociations) {}

  has(path: string): boolean {
    return FILES.has(path);
  }

  /** @param organizationId owner of the domain; null for the default domain */
  async send(
    response: ServerResponse,
    head: boolean,
    path: string,
    organizationId: number | null,
  ): Promise<void> {
    const files = await this.associations.of(organizationId);
    const body = files[FILES.get(path) ?? 'assetLinks'];
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': `public, max-age=${MAX_AGE}`,
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(head ? undefined : body);
  }
}
