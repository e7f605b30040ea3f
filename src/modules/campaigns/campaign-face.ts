import { CampaignAliasQuery } from '../tracked-links/aliases/alias-availability.dto';
import type { Face } from '../tracked-links/api/face';
import { WithBackupFields } from '../tracked-links/csv/backup-fields.dto';
import { CampaignPage, CampaignResponse } from './campaign.dto';
import { BulkCreateCampaignsRequest, BulkCreateCampaignsResponse } from './campaigns-bulk.dto';
import {
  CreateCampaignRequest,
  ExportCampaignsQuery,
  ListCampaignsQuery,
  NewCampaignFields,
  SaveCampaignRequest,
  UpdateCampaignRequest,
} from './campaigns.dto';

@WithBackupFields()
class ImportedCampaign extends NewCampaignFields {}

export const CAMPAIGN_FACE: Face = {
  kind: 'campaign',
  operation: 'Campaign',
  noun: 'campaign',
  path: 'campaigns',
  item: 'campaign',
  csvExample:
    'name,originalUrl,alias,tags\r\nSpring sale,https://shop.example.com/spring,spring,"sale,spring"\r\n',
  created:
    'Creates a campaign with the link `https://<domain>/c/<alias>`, on the default domain or a custom one, with your own ' +
    'alias or a random one.',
  types: {
    response: CampaignResponse,
    page: CampaignPage,
    create: CreateCampaignRequest,
    update: UpdateCampaignRequest,
    save: SaveCampaignRequest,
    list: ListCampaignsQuery,
    filters: ExportCampaignsQuery,
    alias: CampaignAliasQuery,
    row: ImportedCampaign,
    bulk: BulkCreateCampaignsRequest,
    bulkResponse: BulkCreateCampaignsResponse,
  },
};
