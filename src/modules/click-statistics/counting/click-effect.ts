import type { Tx } from '../../../infrastructure/database/tx';
import type { EnrichedClick } from './enriched-click';

/**
 * What follows from clicks in other modules, in the very transaction that counts them: kept with them once, or not
 * at all. Whoever composes the counting says which module provides it.
 */
export abstract class ClickEffect {
  /**
   * @param counted clicks that are new, of people and of bots; each is given once, ever
   * @param filtered clicks that de-duplication refused; they may be given again
   */
  abstract apply(
    tx: Tx,
    counted: readonly EnrichedClick[],
    filtered: readonly EnrichedClick[],
  ): Promise<void>;
}
