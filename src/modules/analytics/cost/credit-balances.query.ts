import { Injectable } from '@nestjs/common';
import type { CreditBalances } from './cost.dto';
import { Database } from '../../../infrastructure/database/database';

type Balances = Omit<CreditBalances, 'currency'>;

@Injectable()
export class CreditBalancesQuery {
  constructor(private readonly database: Database) {}

  async run(organizationId: number): Promise<Balances> {
    const [row] = await this.database.read<Record<keyof Balances, string>>(SELECT, [organizationId]);
    return {
      balance: Number(row?.balance ?? 0),
      paidBalance: Number(row?.paidBalance ?? 0),
      freeBalance: Number(row?.freeBalance ?? 0),
      totalCharged: Number(row?.totalCharged ?? 0),
      totalFreeGranted: Number(row?.totalFreeGranted ?? 0),
      totalUsed: Number(row?.totalUsed ?? 0),
    };
  }
}

const SELECT = `
  SELECT charged + granted - used_paid - used_free AS balance, charged - used_paid AS "paidBalance",
         granted - used_free AS "freeBalance", charged AS "totalCharged", granted AS "totalFreeGranted",
         used_paid + used_free AS "totalUsed"
    FROM credit_accounts WHERE organization_id = $1`;
