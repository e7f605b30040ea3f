import { DATE_TIME, INT64, TEXT_OR_NULL, Field } from '../../common/http/api-field';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { OneOf, Text } from '../../common/validation/atoms';
import { Amount } from './billing.atoms';
import { CREDIT_TYPES, type CreditType } from './credit-account';
import type { CreditTransaction } from './credit.entities';

const TYPES =
  'CHARGE adds paid credit, FREE_GRANT free credit; USE draws free credit first, then paid; REFUND ' +
  'returns used credit, paid credit first';

export class MoveCreditsRequest {
  @OneOf(CREDIT_TYPES, { description: TYPES, example: 'CHARGE' })
  type!: CreditType;

  @Amount({
    positive: true,
    description: 'Number of credits; 1 is one unit of the base currency',
    example: 50_000,
  })
  amount!: number;

  @Text({ max: 500, optional: true, description: 'Why', example: 'Invoice 2026-11' })
  reason?: string | null;

  @Text({
    max: 200,
    min: 1,
    optional: true,
    description: 'Your id of the movement; each id is applied once',
    example: 'invoice-2026-11-0042',
  })
  reference?: string | null;
}

export class CreditTransactionResponse {
  @Field('Id of the movement', 7, INT64)
  id!: number;

  @Field(TYPES, 'CHARGE', { enum: CREDIT_TYPES })
  type!: CreditType;

  @Field('Credits', 50_000)
  amount!: number;

  @Field('Change of paid credit', 50_000)
  paidChange!: number;

  @Field('Change of free credit', 0)
  freeChange!: number;

  @Field('Balance after it, paid and free', 62_500)
  balanceAfter!: number;

  @Field('Why', 'Invoice 2026-11', TEXT_OR_NULL)
  reason!: string | null;

  @Field('Your id of the movement', 'invoice-2026-11-0042', TEXT_OR_NULL)
  reference!: string | null;

  @Field('When it was applied', '2026-11-20T08:32:00Z', DATE_TIME)
  createdAt!: string;
}

export class MoveCreditsResponse extends CreditTransactionResponse {
  @Field('Whether the reference was already applied; nothing has changed then', false)
  duplicated!: boolean;
}

export class CreditTransactionPage extends pageOf(CreditTransactionResponse, 'CreditTransactionPage') {}

export function toCreditTransactionResponse(
  transaction: CreditTransaction,
): Pick<CreditTransactionResponse, keyof CreditTransactionResponse> {
  const { id, type, reason, reference } = transaction;
  return {
    id,
    type,
    reason,
    reference,
    amount: Number(transaction.amount),
    paidChange: Number(transaction.paidChange),
    freeChange: Number(transaction.freeChange),
    balanceAfter: Number(transaction.balanceAfter),
    createdAt: toDateTime(transaction.createdAt),
  };
}
