import { Injectable } from '@nestjs/common';
import { DirectoryStores } from '../targets/directory-stores';
import { type CachedTarget, TargetDirectory } from '../targets/target-directory';

/** A link as redirecting knows it. */
export type LinkTarget = CachedTarget<'link'>;

/** Finds links by domain and code. */
@Injectable()
export class LinkDirectory extends TargetDirectory<'link'> {
  constructor(stores: DirectoryStores) {
    super({ kind: 'link', table: 'links', code: 'code' }, stores);
  }
}
