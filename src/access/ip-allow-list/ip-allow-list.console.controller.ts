import { Body, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Page, PageQuery } from '../../common/pagination/page';
import { Access } from '../access.decorator';
import { Caller } from '../caller';
import { OrganizationPath } from '../organization-path.dto';
import {
  AllowedIpPage,
  AllowedIpPath,
  AllowedIpResponse,
  CreateAllowedIpRequest,
  toAllowedIpResponse,
} from './ip-allow-list.dto';
import { IpAllowListService } from './ip-allow-list.service';
import { ConsoleController } from '../service-controller';

@Access({ key: 'console', role: 'ADMIN' })
@ConsoleController('ip-allow-list', 'Console: IP allow-list')
export class IpAllowListConsoleController {
  constructor(private readonly entries: IpAllowListService) {}

  @Get()
  @ApiEndpoint({
    operationId: 'listAllowedIps',
    summary: 'List allowed addresses',
    description: 'If the list is empty, keys can be used from any address, except for contacts.',
    response: { type: AllowedIpPage, description: 'A page of addresses and ranges, newest first' },
  })
  async list(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: PageQuery,
  ): Promise<AllowedIpPage> {
    const [rows, total] = await this.entries.list(caller, query);
    return Page.of(rows.map(toAllowedIpResponse), total, query);
  }

  @Post()
  @ApiEndpoint({
    operationId: 'addAllowedIp',
    summary: 'Allow an address',
    description:
      'Once there is an entry, keys only work from listed addresses. An address that is already listed is ' +
      '409.',
    response: { status: 201, type: AllowedIpResponse, description: 'The entry' },
    errors: ['IP_ALREADY_LISTED'],
  })
  async add(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Body() body: CreateAllowedIpRequest,
  ): Promise<AllowedIpResponse> {
    return toAllowedIpResponse(await this.entries.add(caller, body));
  }

  @Delete(':id')
  @ApiEndpoint({
    operationId: 'removeAllowedIp',
    summary: 'Remove an address',
    description: 'Removing the last entry allows all addresses again.',
    response: { description: 'Removed' },
  })
  remove(@Caller() caller: Caller, @Param() { id }: AllowedIpPath): Promise<void> {
    return this.entries.remove(caller, id);
  }
}
