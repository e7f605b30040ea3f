import { ApiTags } from '@nestjs/swagger';
import { ServiceController } from '../../access/service-controller';
import { ClickExport } from '../click-statistics/click-log/click-export';
import { ClickLog } from '../click-statistics/click-log/click-log';
import { clickLogController } from '../click-statistics/click-log/click-log.controller';
import { CampaignsRepository } from './campaigns.repository';

@ApiTags('Campaigns')
@ServiceController('campaigns/:id/clicks')
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
