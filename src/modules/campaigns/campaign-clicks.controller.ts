import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { ServiceController } from '../../access/service-controller';
import { ClickExport } from '../click-statistics/click-log/click-export';
import { ClickLog } from '../click-statistics/click-log/click-log';
import { clickLogController } from '../click-statistics/click-log/click-log.controller';
import { CampaignsRepository } from './campaigns.repository';

@ApiTags('Campaigns')
@ServiceController('campaigns/:id/clicks')
@Access({ key: 'service', scope: 'analytics:read' })
export class CampaignClicksController extends clickLogController({
  kind: 'campaign',
  operation: 'Campaign',
  noun: 'campaign',
}) {
  constructor(
    readonly trackedLinks: CampaignsRepository,
    log: ClickLog,
    exports: ClickExport,
  ) {
    super(log, exports);
  }
}
