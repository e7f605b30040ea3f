import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../access/access.decorator';
import { App, type AppCaller } from '../../../access/caller';
import { ApiFailures } from '../../../common/errors/api-failures';
import {
  AppAssociationPath,
  AssociateRequest,
  AssociationPath,
  AssociationQuery,
  AssociationResponse,
} from './link-associations.dto';
import { LinkAssociations } from './link-associations.service';

const ONCE = 'One for each link or campaign and tokenidx: a later call says whose it is now.';

/** Associates push tokens with links (docs/concepts/deep-links.md#what-the-app-asks). */
@ApiTags('Mobile SDK: associations')
@Controller('api/v1/sdk/mobile/links')
@Access({ key: 'app' })
export class LinkAssociationsController {
  constructor(private readonly associations: LinkAssociations) {}

  @Post(':shortCode/associations')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'associateWithLink',
    summary: 'Link a push token to a link or campaign',
    description: ONCE,
  })
  @ApiOkResponse({ type: AssociationResponse, description: 'The association' })
  @ApiFailures(400, 404)
  associate(
    @App() app: AppCaller,
    @Param() path: AssociationPath,
    @Query() { type }: AssociationQuery,
    @Body() body: AssociateRequest,
  ): Promise<AssociationResponse> {
    return this.associations.associate(app, path, type, body);
  }

  @Post(':appPath/:shortCode/associations')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'associateWithAppLink',
    summary: 'Link a push token to a link or campaign under an app path',
    description: ONCE,
  })
  @ApiOkResponse({ type: AssociationResponse, description: 'The association' })
  @ApiFailures(400, 404)
  associateUnderApp(
    @App() app: AppCaller,
    @Param() path: AppAssociationPath,
    @Query() { type }: AssociationQuery,
    @Body() body: AssociateRequest,
  ): Promise<AssociationResponse> {
    return this.associations.associate(app, path, type, body);
  }
}
