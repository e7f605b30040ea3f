import { en } from './en';
import { ja } from './ja';
import { ko } from './ko';
import type { Texts } from './texts';

/** Languages of pages by primary subtag, in the order of preference for visitors without a preference. */
export const LANGUAGES: ReadonlyMap<string, Texts> = new Map([
  ['en', en],
  ['ko', ko],
  ['ja', ja],
]);
