import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { Caller } from '../../access/caller';
import { OrganizationPath } from '../../access/organization-path.dto';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { AliasAvailability } from '../tracked-links/aliases/alias-availability';
import {
  AliasAvailabilityResponse,
  CampaignAliasQuery,
} from '../tracked-links/aliases/alias-availability.dto';
import { CampaignsRepository } from './campaigns.repository';

@ApiTags('Console: campaigns')
@Controller('api/v1/console/organizations/:organizationId/campaigns/alias-availability')
@Access({ key: 'console', role: 'EDITOR' })
export class CampaignAliasesConsoleController {
  constructor(
    private readonly aliases: AliasAvailability,
    private readonly campaigns: CampaignsRepository,
  ) {}

  @Get()
  @ApiEndpoint({
    operationId: 'checkCampaignAlias',
    summary: 'Check an alias of a campaign',
    description:
      'Tells whether a new campaign, or the one with `campaignId`, could have an alias, without reserving it. Links and ' +
      'campaigns may have the same alias.',
    response: { type: AliasAvailabilityResponse, description: 'Whether the alias is available' },
    errors: ['DOMAIN_NOT_USABLE', 'NOT_FOUND'],
  })
  check(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: CampaignAliasQuery,
  ): Promise<AliasAvailabilityResponse> {
    return this.aliases.check(this.campaigns, caller, query, query.campaignId ?? null);
  }
}
