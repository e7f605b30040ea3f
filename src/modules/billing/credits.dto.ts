import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { OneOf, Text } from '../../common/validation/atoms';
import { Amount } from './billing.atoms';
import { CREDIT_TYPES, type CreditType } from './credit-account';
import type { CreditTransaction } from './credit.entities';

const TYPES =
  'CHARGE adds paid credit, FREE_GRANT free credit; USE draws free credit first, then paid; REFUND gives used credit ' +
  'back, paid credit first';

export class MoveCreditsRequest {
  @OneOf(CREDIT_TYPES, { description: TYPES, example: 'CHARGE' })
  type!: CreditType;

  @Amount({ positive: true, description: 'Credits; 1 is one unit of the base currency', example: 50_000 })
  amount!: number;

  @Text({ max: 500, optional: true, description: 'Why', example: 'Invoice 2026-11' })
  reason?: string | null;

  @Text({
    max: 200,
    min: 1,
    optional: true,
    description: "The caller's own id of the movement: the same one is applied once",
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

  @amount('By how much paid credit has changed', 50_000)
  paidChange!: number;

  @amount('By how much free credit has changed', 0)
  freeChange!: number;

  @amount('Paid and free credit after it', 62_500)
  balanceAfter!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Why', example: 'Invoice 2026-11' })
  reason!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: "The caller's own id",
    example: 'invoice-2026-11-0042',
  })
  reference!: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was applied', example: '2026-11-20T08:32:00Z' })
  createdAt!: string;
}

export class MoveCreditsResponse extends CreditTransactionResponse {
  @ApiProperty({
    description: 'Whether the reference had been applied before: nothing has changed',
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
