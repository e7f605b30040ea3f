import { DeliveriesProcessor } from '../../src/modules/webhooks/deliveries/deliveries.processor';
import { DeliveryRunner } from '../../src/modules/webhooks/deliveries/delivery-runner';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { useTestApp } from '../support/test-app';

/** More than a sweep wakes. */
const ENDPOINTS = 10_500;

describe('sweeps of webhooks', () => {
  const app = useTestApp({ redis: false });

  it('wake every endpoint in turn, though those before stay due', async () => {
    const woken = new Set<number>();
    jest.spyOn(app.get(DeliveryRunner), 'wake').mockImplementation(({ id }) => {
      woken.add(id);
      return Promise.resolve();
    });
    const { organizationId } = await createOrganization(app);
    const other = await createOrganization(app);
    // A replay is due until it ends.
    await app.sql(
      `INSERT INTO webhook_endpoints (organization_id, id, delivery, sealed, events, enabled, replay_after, created_at, updated_at)
       SELECT CASE n % 2 WHEN 0 THEN $1 ELSE $2 END::bigint, n, 'PUSH', '', '{}', true, gen_random_uuid(), now(), now()
         FROM generate_series(1, ${ENDPOINTS}) AS n`,
      [organizationId, other.organizationId],
    );
    for (let sweep = 0; sweep < 3; sweep++) await app.get(DeliveriesProcessor).notifyDue();
    await eventually(async () => expect(woken.size).toBe(ENDPOINTS));
    woken.clear();
    for (let sweep = 0; sweep < 3; sweep++) await app.get(DeliveriesProcessor).notifyDue();
    await eventually(async () => expect(woken.size).toBe(ENDPOINTS));
  });
});
