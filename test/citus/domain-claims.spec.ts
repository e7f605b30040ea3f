import { DomainConsole } from '../support/domains';
import { createOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';

const ORGANIZATIONS = 4;
const NAMES = 30;
const CLAIMS = 12;

describe('claims of one domain on Citus, where every node has its row', () => {
  const app = useTestApp({ redis: true });

  it('do not wait for each other in a circle', async () => {
    const consoles = await Promise.all(
      Array.from(
        { length: ORGANIZATIONS },
        async () => new DomainConsole(app, await createOrganization(app)),
      ),
    );
    for (let n = 0; n < NAMES; n++) {
      const claims = Array.from({ length: CLAIMS / ORGANIZATIONS }, () => consoles).flat();
      const answers = await Promise.all(claims.map((console) => console.add(`shop-${n}.test`)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(CLAIMS - 1).fill(409)]);
    }
  });
});
