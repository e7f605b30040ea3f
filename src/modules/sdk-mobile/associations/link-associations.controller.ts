import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../access/access.decorator';
import { App, type AppCaller } from '../../../access/caller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import {
  AppAssociationPath,
  AssociateRequest,
  AssociationPath,
  AssociationQuery,
  AssociationResponse,
} from './link-associations.dto';
import { LinkAssociations } from './link-associations.service';

const ONCE = 'There is one association per link or campaign and tokenidx; a later call reassigns it.';

/** Associates push tokens with links (docs/concepts/deep-links.md#what-the-app-asks). */
@ApiTags('Mobile SDK: associations')
@Controller('api/v1/sdk/mobile/links')
export class LinkAssociationsController {
  constructor(private readonly associations: LinkAssociations) {}

  @Post(':shortCode/associations')
  @Access({ key: 'app', publishable: 'identity', member: 'identify' })
  @ApiEndpoint({
    operationId: 'associateWithLink',
    summary: 'Link a push token to a link or campaign',
    description: ONCE,
    response: { type: AssociationResponse, description: 'The association' },
  })
  associate(
    @App() app: AppCaller,
    @Param() path: AssociationPath,
    @Query() { type }: AssociationQuery,
    @Body() body: AssociateRequest,
  ): Promise<AssociationResponse> {
    return this.associations.associate(app, path, type, body);
  }

  @Post(':appPath/:shortCode/associations')
  @Access({ key: 'app', publishable: 'identity', member: 'identify' })
  @ApiEndpoint({
    operationId: 'associateWithAppLink',
    summary: 'Link a push token to a link or campaign under an app path',
    description: ONCE,
    response: { type: AssociationResponse, description: 'The association' },
  })
  associateUnderApp(
    @App() app: AppCaller,
    @Param() path: AppAssociationPath,
    @Query() { type }: AssociationQuery,
    @Body() body: AssociateRequest,
  ): Promise<AssociationResponse> {
    return this.associations.associate(app, path, type, body);
  }
}
