import { toDomainError } from '../../src/common/http/to-domain-error';
import { Database } from '../../src/infrastructure/database/database';
import { eventually } from '../support/eventually';
import { createOrganization, type TestOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';
import { nodesOf, onNode } from '../support/test-databases';

const ROUNDS = 10;
/** So many that both nodes have some. */
const ORGANIZATIONS = 4;

/** Ends connections to a database of a node, as a restart of the node does. */
const DISCONNECT = `
  SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;
const ADD_GROUP = `
  INSERT INTO contact_groups (organization_id, name, created_at, updated_at) VALUES ($1, 'Customers', now(), now())`;

describe('a node of Citus that loses its connections', () => {
  const app = useTestApp({ redis: true });
  let organizations: TestOrganization[];
  beforeAll(async () => {
    organizations = await Promise.all(Array.from({ length: ORGANIZATIONS }, () => createOrganization(app)));
  });

  const disconnect = async () => {
    const [, ...workers] = nodesOf(new URL(app.database.url).pathname.slice(1));
    await Promise.all(workers.map((worker) => onNode(worker, DISCONNECT)));
  };

  const create = () =>
    Promise.all(
      organizations.map(async ({ api }) => {
        const answer = await api.post('/api/v1/service/urls', { url: 'https://shop.example.com/' });
        return answer.status;
      }),
    );

  // Each connection to the coordinator has connections of its own to the nodes, and each of these fails once.
  const recovered = () => eventually(async () => expect(new Set(await create())).toEqual(new Set([201])));

  it('makes calls answer 503, not 500', async () => {
    const statuses = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      await disconnect();
      for (const status of await create()) statuses.add(status);
    }
    expect([...statuses].toSorted()).toEqual([201, 503]);
    await recovered();
  });

  it.each([1, ORGANIZATIONS])('fails a commit of rows of %i organizations with 503', async (count) => {
    const writing = app.get(Database).write(async (tx) => {
      for (const { organizationId } of organizations.slice(0, count)) {
        await tx.execute(ADD_GROUP, [organizationId]);
      }
      await disconnect();
    });
    const error = await writing.catch((thrown: unknown) => thrown);
    expect(toDomainError(error)).toMatchObject({ status: 503 });
    await recovered();
  });
});
