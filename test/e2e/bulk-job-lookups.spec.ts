import { CONTACTS, createBook } from '../support/contacts';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';
import { phone, UNSUBSCRIBES } from '../support/unsubscribes';

describe('Looking up a bulk job', () => {
  const app = useTestApp();

  const paths = (jobId: number) => [`${CONTACTS}/bulk-jobs/${jobId}`, `${UNSUBSCRIBES}/bulk-jobs/${jobId}`];
  const optOutJob = async ({ api }: TestOrganization): Promise<number> => {
    const body = { items: [{ value: phone(1) }] };
    return (await api.post(`${UNSUBSCRIBES}/bulk?async=true`, body).expect(202)).body.jobId;
  };
  const contactJob = async ({ api }: TestOrganization): Promise<number> =>
    (await api.post(`${CONTACTS}/bulk?async=true`, [{ name: 'Kim' }]).expect(202)).body.jobId;

  it('of opt-outs requires the same as starting it: no add-on, and no listed address', async () => {
    const org = await createOrganization(app, { defaultRegion: 'KR', addOns: [] });
    const jobId = await optOutJob(org);
    for (const path of paths(jobId)) {
      const { body } = await org.api.get(path).expect(200);
      expect(body).toMatchObject({ jobId, type: 'UNSUBSCRIBES', total: 1 });
    }
  });

  it('of contacts requires MESSAGING and a listed address, and is separate from jobs of opt-outs', async () => {
    const book = await createBook(app);
    const jobId = await contactJob(book);
    const [ofContacts = '', ofOptOuts = ''] = paths(jobId);
    expect((await book.api.get(ofContacts).expect(200)).body).toMatchObject({ jobId, type: 'CONTACTS' });
    await book.api.get(ofOptOuts).expect(404);

    const ofBook = `/api/v1/console/organizations/${book.organizationId}`;
    await consoleApi(app).delete(`${ofBook}/add-ons/MESSAGING`).expect(204);
    const refused = await book.api.get(ofContacts).expect(403);
    expect(refused.body.code).toBe('FEATURE_NOT_AVAILABLE');
    const { body } = await consoleApi(app).get(`${ofBook}/ip-allow-list`).expect(200);
    await consoleApi(app).delete(`${ofBook}/ip-allow-list/${body.content[0].id}`).expect(204);
    expect((await book.api.get(ofContacts).expect(403)).body.code).toBe('IP_NOT_ALLOWED');
  });

  it('is limited to the own organization', async () => {
    const [owner, other] = [await createBook(app), await createBook(app)];
    for (const jobId of [await optOutJob(owner), await contactJob(owner)]) {
      for (const path of paths(jobId)) await other.api.get(path).expect(404);
    }
  });
});
