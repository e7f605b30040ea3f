import { ApiProperty } from '@nestjs/swagger';
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

const amount = (description: string, example: number) => ApiProperty({ description, example });

/** A movement of credits. */
export class CreditTransactionResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the movement', example: 7 })
  id!: number;

  @ApiProperty({ enum: CREDIT_TYPES, description: TYPES, example: 'CHARGE' })
  type!: CreditType;

  @amount('Credits', 50_000)
  amount!: number;

  @amount('Change of paid credit', 50_000)
  paidChange!: number;

  @amount('Change of free credit', 0)
  freeChange!: number;

  @amount('Balance after it, paid and free', 62_500)
  balanceAfter!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Why', example: 'Invoice 2026-11' })
  reason!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Your id of the movement',
    example: 'invoice-2026-11-0042',
  })
  reference!: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was applied', example: '2026-11-20T08:32:00Z' })
  createdAt!: string;
}

export class MoveCreditsResponse extends CreditTransactionResponse {
  @ApiProperty({
    description: 'Whether the reference was already applied; nothing has changed then',
    example: false,
  })
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
