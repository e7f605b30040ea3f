import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { OrganizationPath } from '../../../access/organization-path.dto';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { MatchingIds, MAX_IDS } from '../../../common/pagination/matching-ids';
import { AliasAvailability } from '../../tracked-links/aliases/alias-availability';
import {
  AliasAvailabilityResponse,
  LinkAliasQuery,
} from '../../tracked-links/aliases/alias-availability.dto';
import { LinkListQuery } from '../link-list.query';
import { ExportLinksQuery } from '../links.dto';
import { LinksRepository } from '../links.repository';
import { ChangeLinksRequest, ChangeLinksResponse, ListTagsQuery, TagsResponse } from './editing.dto';
import { LinkChanges } from './link-changes';
import { LinkTagsQuery } from './link-tags.query';

/** Operations for the console's pages for editing links. */
@ApiTags('Console: links')
@Controller('api/v1/console/organizations/:organizationId')
@Access({ key: 'console', role: 'EDITOR' })
export class EditingConsoleController {
  constructor(
    private readonly aliases: AliasAvailability,
    private readonly links: LinksRepository,
    private readonly tags: LinkTagsQuery,
    private readonly changes: LinkChanges,
    private readonly lists: LinkListQuery,
  ) {}

  @Get('urls/alias-availability')
  @ApiEndpoint({
    operationId: 'checkAlias',
    summary: 'Check an alias',
    description:
      'Tells whether a new short link, or the one with `linkId`, could have an alias, without reserving it.',
    response: { type: AliasAvailabilityResponse, description: 'Whether the alias is available' },
    errors: ['DOMAIN_NOT_USABLE', 'NOT_FOUND'],
  })
  checkAlias(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: LinkAliasQuery,
  ): Promise<AliasAvailabilityResponse> {
    return this.aliases.check(this.links, caller, query, query.linkId ?? null);
  }

  @Get('tags')
  @Access({ key: 'console', role: 'VIEWER' })
  @ApiEndpoint({
    operationId: 'listTags',
    summary: 'List tags',
    description: "The tags of the organization's short links, those of the most links first.",
    response: { type: TagsResponse, description: 'The tags' },
  })
  listTags(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: ListTagsQuery,
  ): Promise<TagsResponse> {
    return this.tags.run(caller, query);
  }

  @Get('urls/ids')
  @Access({ key: 'console', role: 'VIEWER' })
  @ApiEndpoint({
    operationId: 'listShortUrlIds',
    summary: 'List the ids of short links',
    description:
      'Ids of all links that match the filters of the list, to select them all. `urls/changes` takes 1,000 at a time.',
    response: { type: MatchingIds, description: 'The ids' },
  })
  async listIds(
    @Caller() { organizationId }: Caller,
    @Param() _path: OrganizationPath,
    @Query() query: ExportLinksQuery,
  ): Promise<MatchingIds> {
    const ids = await this.lists.ids(organizationId, query);
    return { ids: ids.slice(0, MAX_IDS), total: ids.length };
  }

  @Post('urls/changes')
  @ApiEndpoint({
    operationId: 'changeShortUrls',
    summary: 'Change many short links',
    description:
      'Makes the same change to up to 1000 short links by the rules of the single call, in transactions of 100 links; ' +
      'with an Idempotency-Key, in one. Links that cannot be changed fail individually: the status is 200, and the ' +
      'response has the result of each link. An id that occurs twice has one result. `ids` without a change, or `delete` ' +
      'with another one, is VALIDATION_FAILED.',
    response: { type: ChangeLinksResponse, description: 'The result of each link' },
  })
  changeShortUrls(
    @Caller() caller: Caller,
    @Param() _path: OrganizationPath,
    @Body() body: ChangeLinksRequest,
  ): Promise<ChangeLinksResponse> {
    return this.changes.run(caller, body);
  }
}
