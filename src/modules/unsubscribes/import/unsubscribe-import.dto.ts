import { INTEGER, listOf, Field } from '../../../common/http/api-field';
import {
  IgnoredColumns,
  MAX_CONSOLE_ERRORS,
  MaxErrors,
  RowValues,
} from '../../../common/csv/import-answers.dto';
import { OneOf, Text } from '../../../common/validation/atoms';
import { UncheckedList } from '../../../common/validation/lists';
import { type Method, METHODS } from '../unsubscribe';
import { ChannelQuery, ChannelResponse, InvalidItem, MAX_ITEMS, MAX_SOURCE } from '../unsubscribes.dto';

const IMPORT_METHODS = METHODS.filter((method) => method !== 'API');

class SharedFields extends ChannelQuery {
  @OneOf(IMPORT_METHODS, {
    default: 'CSV',
    description: 'Source of the opt-outs: toll-free call, opt-out link, console entry',
    example: '080',
  })
  method: Method = 'CSV';

  @Text({
    max: MAX_SOURCE,
    optional: true,
    description: 'Your description of the source; an item or row may have its own',
    example: '080-123-4567',
  })
  source?: string | null;
}

/** The query for a CSV file. */
export class ImportQuery extends SharedFields {
  @MaxErrors(MAX_CONSOLE_ERRORS)
  maxErrors: number = MAX_CONSOLE_ERRORS;
}

class ImportItem {
  @Field('Phone number or e-mail address', '+821012345678')
  value!: string;

  @Field('Your description of the source', '080-123-4567', { type: String, required: false })
  source?: string | null;

  @Field(
    'When the person opted out, not in the future; default is the time of the import',
    '2026-11-20T08:32:00Z',
    { type: String, required: false },
  )
  unsubscribedAt?: string | null;
}

export class ImportRequest extends SharedFields {
  @UncheckedList(() => ImportItem, {
    min: 1,
    max: MAX_ITEMS,
    description: 'Entries; an invalid one does not affect the others',
  })
  items!: unknown[];
}

export class ImportProblem extends InvalidItem {
  @Field('Index of the item or data row, from 0', 3, INTEGER)
  declare index: number;

  @Field('Line of the file where the row starts, from 1; absent for items of JSON', 5, {
    type: 'integer',
    required: false,
  })
  line?: number;

  @RowValues({ required: false })
  values?: Record<string, string>;
}

export class ImportResponse extends ChannelResponse {
  @Field('Number of items or data rows', 120_000, INTEGER)
  total!: number;

  @Field('Number of values newly registered', 119_000, INTEGER)
  accepted!: number;

  @Field('Number of values that were already registered or repeated', 990, INTEGER)
  duplicated!: number;

  @Field('Number of rejected items', 10, INTEGER)
  failed!: number;

  @IgnoredColumns()
  ignoredColumns!: string[];

  @Field('The first rejected items, 500 unless `maxErrors` says otherwise', undefined, listOf(ImportProblem))
  invalid!: ImportProblem[];
}
