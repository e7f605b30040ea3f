import { ApiProperty } from '@nestjs/swagger';
import { DeletionItem, UnsubscribeItem } from './unsubscribe-feeds.dto';

const cursor = () =>
  ApiProperty({
    description: "Where the list stands after this change, as the watermark's latestCursor",
    example: 'AQEBAAAAAAAAASoW0nq4vN8h3bUuzPbl9s8a',
  });

/** What webhooks tell of a new opt-out. */
export class UnsubscribeCreated extends UnsubscribeItem {
  @cursor()
  cursor!: string;
}

/** What webhooks tell of an opt-out that was taken back. */
export class UnsubscribeDeleted extends DeletionItem {
  @cursor()
  cursor!: string;
}
