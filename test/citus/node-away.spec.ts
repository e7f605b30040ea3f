import { CONTACTS, createBook, saveContact } from '../support/contacts';
import type { TestOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { TestApp, useTestApp } from '../support/test-app';
import { nodesOf, onNode } from '../support/test-databases';
import { phone, UnsubscribeClient } from '../support/unsubscribes';

const URLS = '/api/v1/service/urls';

describe('a node of Citus that is away', () => {
  const app = useTestApp({ redis: true });
  let away: string;
  let organizations: TestOrganization[];

  /** Connections to the suite's database on the node: accepted, or ended and refused. */
  const allow = (isOpen: boolean) => {
    const database = new URL(away).pathname.slice(1);
    return onNode(
      new URL('/postgres', away).href,
      `ALTER DATABASE ${database} ALLOW_CONNECTIONS ${isOpen}`,
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE datname = '${database}' AND backend_type = 'client backend'`,
    );
  };

  /** The node with the rows of an organization. */
  const nodeOf = async ({ organizationId }: TestOrganization) => {
    const [row] = await app.sql<{ port: number }>(
      `SELECT nodeport AS port FROM citus_shards
        WHERE table_name = 'links'::regclass
          AND shardid = get_shard_id_for_distribution_column('links', $1::bigint)`,
      [organizationId],
    );
    return row?.port;
  };

  beforeAll(async () => {
    [, away = ''] = nodesOf(new URL(app.database.url).pathname.slice(1));
    organizations = await Promise.all(Array.from({ length: 4 }, () => createBook(app)));
  });
  afterAll(() => allow(true));

  it('lets organizations of other nodes go on, and processes start', async () => {
    const nodes = await Promise.all(organizations.map(nodeOf));
    const here = organizations.find((_, i) => nodes[i] !== Number(new URL(away).port));
    if (!here) throw new Error('All organizations are on one node');
    const link = await createLink(here);
    await allow(false);

    await here.api.get(URLS).expect(200);
    await here.api.get(`${URLS}/${link.id}/stats`).expect(200);
    await here.api.put(`${URLS}/${link.id}`, { title: 'Autumn' }).expect(200);
    await saveContact(here, { externalUserId: 'kim' });
    await here.api.get(CONTACTS).expect(200);
    const optOuts = new UnsubscribeClient(here);
    await optOuts.register(phone(1));
    expect((await optOuts.list()).items).toHaveLength(1);
    const second = await TestApp.start({ redis: true, database: app.database });
    await second.close();
  });
});
