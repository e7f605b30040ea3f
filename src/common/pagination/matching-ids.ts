export const MAX_IDS = 100_000;
import { INT64, Field } from '../http/api-field';

export class MatchingIds {
  @Field(
    `Ids of what matches, in the order of the list, at most ${MAX_IDS.toLocaleString('en-US')}`,
    [42, 43],
    { type: 'integer', format: 'int64', isArray: true },
  )
  ids!: number[];

  @Field('Number of matches', 2, INT64)
  total!: number;
}
