import { ApiProperty } from '@nestjs/swagger';

/** As many as one answer gives. */
export const MAX_IDS = 100_000;

/** What a list has in all, to select it at once. */
export class MatchingIds {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    isArray: true,
    description: `Ids of what matches, in the order of the list, at most ${MAX_IDS.toLocaleString('en-US')}`,
    example: [42, 43],
  })
  ids!: number[];

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Number of matches', example: 2 })
  total!: number;
}
