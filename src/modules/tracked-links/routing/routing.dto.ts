import { TEXTS, INTEGER, Field } from '../../../common/http/api-field';
import { REGIONS } from '../../../access/organizations/regions';
import { DestinationUrl, Int } from '../../../common/validation/atoms';
import { TextList, WordList } from '../../../common/validation/lists';
import type { TargetingRule, Variant } from './routing';

export const MAX_RULES = 20;
export const MAX_VARIANTS = 10;
/** Device types, as named in statistics. */
const DEVICES: ReadonlySet<string> = new Set(['Mobile', 'Desktop', 'Tablet']);
const COUNTRY = 'must be an ISO 3166-1 alpha-2 code such as KR';
const optional = true;

/** Matches visitors who meet every supplied condition. A condition is met by any of its values. */
export class TargetingRuleFields {
  @WordList(REGIONS, {
    max: 250,
    problem: COUNTRY,
    description: 'Countries of visitors, ISO 3166-1 alpha-2',
    example: ['KR', 'JP'],
    optional,
  })
  countries?: string[] | null;

  @WordList(DEVICES, { max: 3, description: 'Device types', example: ['Mobile'], optional })
  devices?: string[] | null;

  @TextList({
    max: 20,
    length: 50,
    description:
      'Operating systems as named in statistics: iOS, Android, Windows, Mac OS (or macOS), Linux …; letter case is ' +
      'ignored',
    example: ['iOS'],
    optional,
  })
  os?: string[] | null;

  @DestinationUrl({
    max: 1000,
    description: 'Destination of matching visitors, subject to the rules for destinations',
    example: 'https://shop.example.com/kr',
  })
  url!: string;
}

export class VariantFields {
  @DestinationUrl({
    max: 1000,
    description: 'Destination of this variant, subject to the rules for destinations',
    example: 'https://shop.example.com/a',
  })
  url!: string;

  @Int({
    min: 1,
    max: 1000,
    description: 'Share of visitors, relative to the sum of all weights',
    example: 50,
  })
  weight!: number;
}

const values = (description: string, example: string[]) =>
  Field(`${description}; empty: any`, example, TEXTS);

export class TargetingRuleResponse implements TargetingRule {
  @values('Countries, ISO 3166-1 alpha-2', ['KR', 'JP'])
  countries!: string[];

  @values('Device types', ['Mobile'])
  devices!: string[];

  @values('Operating systems', ['iOS'])
  os!: string[];

  @Field('Destination of matching visitors', 'https://shop.example.com/kr')
  url!: string;
}

export class VariantResponse implements Variant {
  @Field('Destination of this variant', 'https://shop.example.com/a')
  url!: string;

  @Field('Share of visitors, relative to the sum of all weights', 50, INTEGER)
  weight!: number;
}
