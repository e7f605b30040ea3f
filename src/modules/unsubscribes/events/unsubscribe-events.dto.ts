import { ApiProperty } from '@nestjs/swagger';
import { DeletionItem, UnsubscribeItem } from '../feeds/unsubscribe-feeds.dto';

const EXAMPLE = 'AQEBAAAAAAAAASoW0nq4vN8h3bUuzPbl9s8a';
const LATEST = "Cursor of the list after this change, like the watermark's latestCursor";

/** Webhook data of a new opt-out. */
export class UnsubscribeCreated extends UnsubscribeItem {
  @ApiProperty({ description: LATEST, example: EXAMPLE })
  cursor!: string;
}

/** Webhook data of a deleted opt-out. */
export class UnsubscribeDeleted extends DeletionItem {
  @ApiProperty({ description: 'Cursor of the deletions after this change', example: EXAMPLE })
  cursor!: string;

  @ApiProperty({ description: LATEST, example: EXAMPLE })
  latestCursor!: string;
}
