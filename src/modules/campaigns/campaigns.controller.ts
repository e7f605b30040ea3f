import { disabledController } from '../../access/organizations/disabled.controller';
import { ServiceController, ConsoleController } from '../../access/service-controller';
import { ClickExport } from '../click-statistics/click-log/click-export';
import { ClickLog } from '../click-statistics/click-log/click-log';
import { clickLogController } from '../click-statistics/click-log/click-log.controller';
import { BulkParts } from '../tracked-links/api/bulk-parts';
import { bulkController } from '../tracked-links/api/bulk.controller';
import { trackedLinksController } from '../tracked-links/api/tracked-links.controller';
import { QrService } from '../tracked-links/qr/qr.service';
import { settingsController } from '../tracked-links/settings/settings.controller';
import { TrackedLinkSettings } from '../tracked-links/settings/tracked-link-settings';
import { CAMPAIGN_FACE } from './campaign-face';
import type { CampaignResponse } from './campaign.dto';
import type { Campaign } from './campaign.entity';
import { CampaignsRepository } from './campaigns.repository';
import { CampaignsService } from './campaigns.service';

@ServiceController('campaigns', 'Campaigns')
export class CampaignsController extends trackedLinksController<Campaign, CampaignResponse>(CAMPAIGN_FACE) {
  constructor(
    readonly service: CampaignsService,
    qr: QrService,
  ) {
    super(qr);
  }
}

@ServiceController('campaigns', 'Campaigns')
export class CampaignsBulkController extends bulkController<Campaign, CampaignResponse>(CAMPAIGN_FACE) {
  constructor(
    readonly service: CampaignsService,
    parts: BulkParts,
  ) {
    super(parts);
  }
}

@ServiceController('campaigns/:id/clicks', 'Campaigns')
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

@ServiceController('campaigns/:id/settings', 'Campaigns')
export class CampaignSettingsController extends settingsController('Campaign') {
  constructor(campaigns: CampaignsRepository, service: CampaignsService) {
    super(new TrackedLinkSettings(campaigns, service));
  }
}

const DisabledController = disabledController({
  operation: 'Campaign',
  noun: 'campaign',
  effect:
    'The campaign answers 410 within a second, and its clicks are not counted. The owner sees the reason, but can ' +
    'neither enable the campaign nor reuse its alias. A repeated call replaces the reason.',
});

@ConsoleController('campaigns/:id/disabled', 'Console: campaigns')
export class DisabledCampaignsConsoleController extends DisabledController {
  constructor(readonly resources: CampaignsService) {
    super();
  }
}
