import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { AliasAvailability } from '../aliases/alias-availability';
import { BulkChanges } from '../bulk/bulk-changes';
import { BulkCreation } from '../bulk/bulk-creation';
import { TrackedLinkImport } from '../csv/tracked-link-import';

/** What the controllers of both kinds need for many links or campaigns. */
@Injectable()
export class BulkParts {
  constructor(
    readonly creation: BulkCreation,
    readonly changes: BulkChanges,
    readonly imports: TrackedLinkImport,
    readonly aliases: AliasAvailability,
    readonly clock: Clock,
  ) {}
}
