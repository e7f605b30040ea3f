import { ApiProperty } from '@nestjs/swagger';

/** The most ids in a response. */
export const MAX_IDS = 100_000;

/** The ids of everything that matches a list's filters. */
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
