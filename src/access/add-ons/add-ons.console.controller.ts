import { Body, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Page, PageQuery } from '../../common/pagination/page';
import { Clock } from '../../common/time/clock';
import { Access } from '../access.decorator';
import { Caller } from '../caller';
import { OrganizationPath } from '../organization-path.dto';
import { AddOnPage, AddOnPath, AddOnResponse, BookAddOnRequest, toAddOnResponse } from './add-ons.dto';
import { AddOnsService } from './add-ons.service';
import { ConsoleController } from '../service-controller';

@Access({ key: 'console', role: 'VIEWER' })
@ConsoleController('add-ons', 'Console: add-ons')
export class AddOnsConsoleController {
  constructor(
    private readonly addOns: AddOnsService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listAddOns',
    summary: 'List booked add-ons',
    description: "The organization's booked add-ons by code, expired ones included.",
    response: { type: AddOnPage, description: 'A page of add-ons' },
  })
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
  @Access({ key: 'console', role: 'PLATFORM' })
  @ApiEndpoint({
    operationId: 'bookAddOn',
    summary: 'Book an add-on',
    description: 'Books the add-on, or changes the end of an existing booking. Platform token only.',
    response: { type: AddOnResponse, description: 'The add-on' },
  })
  async book(
    @Caller() caller: Caller,
    @Param() { code }: AddOnPath,
    @Body() body: BookAddOnRequest,
  ): Promise<AddOnResponse> {
    return toAddOnResponse(await this.addOns.book(caller, code, body), this.clock.date());
  }

  @Delete(':code')
  @Access({ key: 'console', role: 'PLATFORM' })
  @ApiEndpoint({
    operationId: 'removeAddOn',
    summary: 'Remove an add-on',
    description: 'The add-on ends at once; 404 if it is not booked. Platform token only.',
    response: { description: 'Removed' },
  })
  remove(@Caller() caller: Caller, @Param() { code }: AddOnPath): Promise<void> {
    return this.addOns.remove(caller, code);
  }
}
