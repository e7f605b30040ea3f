import { Body, Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiFailures } from '../../common/errors/api-failures';
import { Page, PageQuery } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { Access } from '../access.decorator';
import { Caller } from '../caller';
import { OrganizationPath } from '../organizations/organizations.dto';
import { AddOnPage, AddOnPath, AddOnResponse, BookAddOnRequest, toAddOnResponse } from './add-ons.dto';
import { AddOnsService } from './add-ons.service';

@ApiTags('Console: add-ons')
@Access({ key: 'console' })
@Controller('api/v1/console/organizations/:orgId/add-ons')
export class AddOnsConsoleController {
  constructor(
    private readonly addOns: AddOnsService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listAddOns',
    summary: 'List booked add-ons',
    description: 'The add-ons that the organization has booked, by code; ended ones included.',
  })
  @ApiOkResponse({ type: AddOnPage, description: 'A page of add-ons' })
  @ApiFailures(400, 404)
  async list(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: PageQuery,
  ): Promise<AddOnPage> {
    const [rows, total] = await this.addOns.list(caller, query);
    const now = this.clock.date();
    return Page.of(
      rows.map((row) => toAddOnResponse(row, now)),
      total,
      query,
    );
  }

  @Put(':code')
  @Access({ key: 'console', only: 'platform' })
  @ApiOperation({
    operationId: 'bookAddOn',
    summary: 'Book an add-on',
    description: 'Books it, or changes until when a booked one is active. Platform token only.',
  })
  @ApiOkResponse({ type: AddOnResponse, description: 'The add-on' })
  @ApiFailures(400, 404)
  async book(
    @Caller() caller: Caller,
    @Param() { code }: AddOnPath,
    @Body() body: BookAddOnRequest,
  ): Promise<AddOnResponse> {
    return toAddOnResponse(await this.addOns.book(caller, code, body), this.clock.date());
  }

  @Delete(':code')
  @HttpCode(204)
  @Access({ key: 'console', only: 'platform' })
  @ApiOperation({
    operationId: 'removeAddOn',
    summary: 'Remove an add-on',
    description: 'It stops at once; 404 when it is not booked. Platform token only.',
  })
  @ApiNoContentResponse({ description: 'Removed' })
  @ApiFailures(400, 404)
  remove(@Caller() caller: Caller, @Param() { code }: AddOnPath): Promise<void> {
    return this.addOns.remove(caller, code);
  }
}
