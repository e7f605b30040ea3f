import type { TestOrganization } from './factories';

export const CAMPAIGNS = '/api/v1/service/campaigns';

/** A valid body of POST /campaigns. */
export const VALID_CAMPAIGN = { name: 'Spring sale', originalUrl: 'https://shop.example.com/spring' };

/** Creates a campaign through the API. */
export async function createCampaign(
  { api }: TestOrganization,
  body: Record<string, unknown> = {},
): Promise<Record<string, unknown> & { id: number; alias: string }> {
  const response = await api.post(CAMPAIGNS, { ...VALID_CAMPAIGN, ...body }).expect(201);
  return response.body;
}
