import { ApiProperty } from '@nestjs/swagger';
import { DeletionItem, UnsubscribeItem } from '../feeds/unsubscribe-feeds.dto';

const EXAMPLE = 'AQEBAAAAAAAAASoW0nq4vN8h3bUuzPbl9s8a';
const LATEST = "Where the list stands after this change, as the watermark's latestCursor";

/** What webhooks tell of a new opt-out. */
export class UnsubscribeCreated extends UnsubscribeItem {
  @ApiProperty({ description: LATEST, example: EXAMPLE })
  cursor!: string;
}

/** What webhooks tell of an opt-out that was taken back. */
export class UnsubscribeDeleted extends DeletionItem {
  @ApiProperty({ description: 'Where the deletions stand after this change', example: EXAMPLE })
  cursor!: string;

  @ApiProperty({ description: LATEST, example: EXAMPLE })
  latestCursor!: string;
}
