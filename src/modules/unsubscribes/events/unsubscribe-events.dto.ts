import { Field } from '../../../common/http/api-field';
import { DeletionItem, UnsubscribeItem } from '../feeds/unsubscribe-feeds.dto';

const EXAMPLE = 'AQEBAAAAAAAAASoW0nq4vN8h3bUuzPbl9s8a';
const LATEST = "Cursor of the list after this change, like the watermark's latestCursor";

export class UnsubscribeCreated extends UnsubscribeItem {
  @Field(LATEST, EXAMPLE)
  cursor!: string;
}

export class UnsubscribeDeleted extends DeletionItem {
  @Field('Cursor of the deletions after this change', EXAMPLE)
  cursor!: string;

  @Field(LATEST, EXAMPLE)
  latestCursor!: string;
}
