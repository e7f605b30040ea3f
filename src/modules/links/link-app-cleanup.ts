import { Injectable } from '@nestjs/common';
import { AppDeletions } from '../apps/app-deletions';
import { TrackedLinkAppCleanup } from '../tracked-links/app-link-cleanup';
import { LinkCache } from './link-cache';

/** Lets links go of apps that are deleted. */
@Injectable()
export class LinkAppCleanup extends TrackedLinkAppCleanup {
  constructor(deletions: AppDeletions, directory: LinkCache) {
    super('links', 'links', 'code', directory);
    deletions.register(this);
  }
}
