import { createCampaign } from '../support/campaigns';
import { createOrganization, type TestOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';

const CAMPAIGNS = '/api/v1/service/campaigns';
const URL = 'https://shop.example.com/';

describe('Fields that belong elsewhere', () => {
  const app = useTestApp();
  let org: TestOrganization;
  beforeAll(async () => {
    org = await createOrganization(app);
  });

  it('campaigns refuse the name that links have for the destination', async () => {
    const { id } = await createCampaign(org);
    const { body } = await org.api.put(`${CAMPAIGNS}/${id}`, { url: URL }).expect(400);
    expect(body.details).toEqual([{ field: 'url', message: 'is called originalUrl here' }]);
  });
});
