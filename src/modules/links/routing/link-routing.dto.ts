import { ApiProperty } from '@nestjs/swagger';
import { REGIONS } from '../../../access/organizations/regions';
import { HttpsUrl, Int } from '../../../common/validation/atoms';
import { TextList, WordList } from '../../../common/validation/lists';
import type { TargetingRule, Variant } from './link-routing';

export const MAX_RULES = 20;
export const MAX_VARIANTS = 10;
/** Of a targeting rule's visitors, as statistics name them. */
const DEVICES: ReadonlySet<string> = new Set(['Mobile', 'Desktop', 'Tablet']);
const COUNTRY = 'must be an ISO 3166-1 alpha-2 code such as KR';
const optional = true;

/** Who goes elsewhere: whoever meets all of the conditions that are given, and each by one of its values. */
export class TargetingRuleFields {
  @WordList(REGIONS, {
    max: 250,
    problem: COUNTRY,
    description: 'Countries of visitors, ISO 3166-1 alpha-2',
    example: ['KR', 'JP'],
    optional,
  })
  countries?: string[] | null;

  @WordList(DEVICES, { max: 3, description: 'Kinds of devices', example: ['Mobile'], optional })
  devices?: string[] | null;

  @TextList({
    max: 20,
    length: 50,
    description:
      'Operating systems as statistics name them: iOS, Android, Windows, Mac OS (macOS means it, too), Linux …; ' +
      'letter case does not count',
    example: ['iOS'],
    optional,
  })
  os?: string[] | null;

  @HttpsUrl({
    max: 1000,
    description: 'Where they go, under the rules of the destination',
    example: 'https://shop.example.com/kr',
  })
  url!: string;
}

export class VariantFields {
  @HttpsUrl({
    max: 1000,
    description: 'Where its visitors go, under the rules of the destination',
    example: 'https://shop.example.com/a',
  })
  url!: string;

  @Int({ min: 1, max: 1000, description: 'Its share of the sum of all weights', example: 50 })
  weight!: number;
}

const values = (description: string, example: string[]) =>
  ApiProperty({ type: String, isArray: true, description: `${description}; empty: any`, example });

export class TargetingRuleResponse implements TargetingRule {
  @values('Countries, ISO 3166-1 alpha-2', ['KR', 'JP'])
  countries!: string[];

  @values('Kinds of devices', ['Mobile'])
  devices!: string[];

  @values('Operating systems', ['iOS'])
  os!: string[];

  @ApiProperty({ description: 'Where they go', example: 'https://shop.example.com/kr' })
  url!: string;
}

export class VariantResponse implements Variant {
  @ApiProperty({ description: 'Where its visitors go', example: 'https://shop.example.com/a' })
  url!: string;

  @ApiProperty({ type: 'integer', description: 'Its share of the sum of all weights', example: 50 })
  weight!: number;
}
