import { Injectable } from '@nestjs/common';
import { AppDeletions } from '../apps/app-deletions';
import { TargetAppTie } from '../targets/app-tie';
import { LinkDirectory } from './link-directory';

/** Lets links go of apps that are deleted. */
@Injectable()
export class LinkAppTie extends TargetAppTie {
  constructor(deletions: AppDeletions, directory: LinkDirectory) {
    super('links', 'links', 'code', directory);
    deletions.register(this);
  }
}
