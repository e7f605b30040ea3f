import { Get, Param } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { AppPath } from '../apps.dto';
import { AppAssociationsResponse } from './app-associations.dto';
import { AssociationReports } from './association-reports';

@Access({ key: 'service', scope: 'apps' })
@ServiceController('mobile-apps/:id/associations', 'Apps')
export class AppAssociationsController {
  constructor(private readonly reports: AssociationReports) {}

  @Get()
  @ApiEndpoint({
    operationId: 'getAppAssociations',
    summary: 'Get the association files of an app',
    description:
      'The files by which phones know that links open the app, as every host of the organization serves them now, and what ' +
      'is missing. Apple and Google may hold older copies.',
    response: { type: AppAssociationsResponse, description: 'The files by host' },
  })
  get(@Caller() caller: Caller, @Param() { id }: AppPath): Promise<AppAssociationsResponse> {
    return this.reports.of(caller, id);
  }
}
