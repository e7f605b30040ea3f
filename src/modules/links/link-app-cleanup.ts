import { Injectable } from '@nestjs/common';
import { AppDeletions } from '../apps/app-deletions';
import { TargetAppTie } from '../tracked-links/app-link-cleanup';
import { LinkDirectory } from './link-cache';

/** Lets links go of apps that are deleted. */
@Injectable()
export class LinkAppTie extends TargetAppTie {
  constructor(deletions: AppDeletions, directory: LinkDirectory) {
    super('links', 'links', 'code', directory);
    deletions.register(this);
  }
}
