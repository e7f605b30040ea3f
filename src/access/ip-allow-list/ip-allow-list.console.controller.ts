import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { ApiFailures } from '../../common/errors/api-failures';
import { Page, PageQuery } from '../../common/pagination/page';
import { Access } from '../access.decorator';
import { Caller } from '../caller';
import { OrganizationPath } from '../organizations/organizations.dto';
import {
  AllowedIpPage,
  AllowedIpPath,
  AllowedIpResponse,
  CreateAllowedIpRequest,
  toAllowedIpResponse,
} from './ip-allow-list.dto';
import { IpAllowListService } from './ip-allow-list.service';

@ApiTags('Console: IP allow-list')
@Access({ key: 'console' })
@Controller('api/v1/console/organizations/:orgId/ip-allow-list')
export class IpAllowListConsoleController {
  constructor(private readonly entries: IpAllowListService) {}

  @Get()
  @ApiOperation({
    operationId: 'listAllowedIps',
    summary: 'List allowed addresses',
    description: 'With none registered, keys may be used from anywhere, except for contacts.',
  })
  @ApiOkResponse({ type: AllowedIpPage, description: 'A page of addresses and ranges, newest first' })
  @ApiFailures(400, 404)
  async list(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: PageQuery,
  ): Promise<AllowedIpPage> {
    const [rows, total] = await this.entries.list(caller, query);
    return Page.of(rows.map(toAllowedIpResponse), total, query);
  }

  @Post()
  @ApiOperation({
    operationId: 'addAllowedIp',
    summary: 'Allow an address',
    description: 'From the first entry on, keys work from listed addresses only. A listed one is 409.',
  })
  @ApiCreatedResponse({ type: AllowedIpResponse, description: 'The entry' })
  @ApiFailures(400, 404, 'IP_ALREADY_LISTED')
  async add(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Body() body: CreateAllowedIpRequest,
  ): Promise<AllowedIpResponse> {
    return toAllowedIpResponse(await this.entries.add(caller, body));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'removeAllowedIp',
    summary: 'Remove an address',
    description: 'Removing the last entry allows every address again.',
  })
  @ApiNoContentResponse({ description: 'Removed' })
  @ApiFailures(400, 404)
  remove(@Caller() caller: Caller, @Param() { id }: AllowedIpPath): Promise<void> {
    return this.entries.remove(caller, id);
  }
}
