import type { EnrichedClick } from '../enriched-click';
import type { Tx } from '../../../infrastructure/database/database';

/**
 * Port through which another module acts on clicks in the transaction that counts them, so that both commit or neither
 * does. The implementation is passed to ClickCountingModule.with.
 */
export abstract class ClickEffect {
  /**
   * @param counted new clicks of people and bots; each is passed exactly once
   * @param filtered clicks that de-duplication has filtered out; may be passed repeatedly
   */
  abstract apply(
    tx: Tx,
    counted: readonly EnrichedClick[],
    filtered: readonly EnrichedClick[],
  ): Promise<void>;
}
