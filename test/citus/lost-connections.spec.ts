import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';
import { nodesOf, onNode } from '../support/test-databases';

const ROUNDS = 10;
const ORGANIZATIONS = 4;

/** Ends connections to a database of a node, as a restart of the node does. */
const DISCONNECT = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;

describe('a node of Citus that loses its connections', () => {
  const app = useTestApp({ redis: true });

  it('makes calls answer 503, not 500', async () => {
    const organizations = await Promise.all(
      Array.from({ length: ORGANIZATIONS }, () => createOrganization(app)),
    );
    const create = () =>
      Promise.all(
        organizations.map(async ({ api }) => {
          const answer = await api.post('/api/v1/service/urls').send({ url: 'https://shop.example.com/' });
          return answer.status;
        }),
      );
    const [, ...workers] = nodesOf(new URL(app.database.url).pathname.slice(1));
    const statuses = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      await Promise.all(workers.map((worker) => onNode(worker, DISCONNECT)));
      for (const status of await create()) statuses.add(status);
    }
    expect([...statuses].toSorted()).toEqual([201, 503]);
    // Each connection to the coordinator has connections of its own to the nodes, and each of these fails once.
    await eventually(async () => expect(new Set(await create())).toEqual(new Set([201])));
  });
});
