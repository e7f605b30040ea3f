import { createCampaign } from '../support/campaigns';
import { createOrganization, type TestOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';

const CAMPAIGNS = '/api/v1/service/campaigns';
const URL = 'https://shop.example.com/';

/** Fields of links that campaigns do not have. */
const ONLY_LINKS = {
  password: 'correct horse',
  maxClicks: 1,
  tags: ['spring'],
  targeting: [{ country: 'KR', url: URL }],
  variants: [{ url: URL, weight: 1 }],
};

describe('Fields that belong elsewhere', () => {
  const app = useTestApp();
  let org: TestOrganization;
  beforeAll(async () => {
    org = await createOrganization(app);
  });

  it.each(Object.entries(ONLY_LINKS))('campaigns refuse %s, which only links have', async (field, value) => {
    const campaign = await createCampaign(org);
    const fields = { name: 'Spring', originalUrl: URL, [field]: value };
    for (const call of [
      org.api.post(CAMPAIGNS, fields),
      org.api.put(`${CAMPAIGNS}/${campaign.id}`, { [field]: value }),
      org.api.put(`${CAMPAIGNS}/by-external-id/spring-${field}`, fields),
    ]) {
      const { body } = await call.expect(400);
      expect(body.details).toEqual([{ field, message: 'is not possible here' }]);
    }
    await org.api.put(`${CAMPAIGNS}/${campaign.id}`, { [field]: null }).expect(200);
  });

  it('campaigns refuse the name that links have for the destination', async () => {
    const { id } = await createCampaign(org);
    const { body } = await org.api.put(`${CAMPAIGNS}/${id}`, { url: URL }).expect(400);
    expect(body.details).toEqual([{ field: 'url', message: 'is called originalUrl here' }]);
  });
});
