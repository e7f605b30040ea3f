import { Body, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { OrganizationPath } from '../../access/organization-path.dto';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Page, PageQuery } from '../../common/pagination/page';
import { CreditLedger } from './credit-ledger';
import {
  CreditTransactionPage,
  MoveCreditsRequest,
  MoveCreditsResponse,
  toCreditTransactionResponse,
} from './credits.dto';
import { ConsoleController } from '../../access/service-controller';

@ConsoleController('credits/transactions', 'Console: credits')
export class CreditsConsoleController {
  constructor(private readonly ledger: CreditLedger) {}

  @Get()
  @Access({ key: 'console', role: 'VIEWER', permission: 'credits.view' })
  @ApiEndpoint({
    operationId: 'listCreditTransactions',
    summary: 'List credit transactions',
    description: 'Newest first. The sum of all movements is the balance.',
    response: { type: CreditTransactionPage, description: 'A page of movements' },
  })
  async list(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: PageQuery,
  ): Promise<CreditTransactionPage> {
    const [rows, total] = await this.ledger.list(caller.organizationId, query);
    return Page.of(rows.map(toCreditTransactionResponse), total, query);
  }

  @Post()
  @Access({ key: 'console', role: 'PLATFORM' })
  @ApiEndpoint({
    operationId: 'moveCredits',
    summary: 'Charge, grant, use or refund credits',
    description:
      'A reference is applied once: sent again, it changes nothing and returns 200 with the original ' +
      'movement. A use that exceeds the balance is 409 INSUFFICIENT_CREDITS, a refund that exceeds the ' +
      'use 409 REFUND_EXCEEDS_USE. Platform token only.',
    response: { status: 201, type: MoveCreditsResponse, description: 'The movement was applied' },
    errors: ['INSUFFICIENT_CREDITS', 'REFUND_EXCEEDS_USE'],
  })
  @ApiOkResponse({ type: MoveCreditsResponse, description: 'The reference was applied before' })
  async move(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Body() { type, amount, reason, reference }: MoveCreditsRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MoveCreditsResponse> {
    const movement = { type, amount, reason: reason || null, reference: reference ?? null };
    const { transaction, duplicated } = await this.ledger.move(caller, movement);
    response.status(duplicated ? 200 : 201);
    return { ...toCreditTransactionResponse(transaction), duplicated };
  }
}
