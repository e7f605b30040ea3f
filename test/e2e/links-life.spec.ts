import { campaignPath, createCampaign } from '../support/campaigns';
