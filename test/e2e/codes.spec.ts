import { testAddresses } from '../support/codes';

describe('addresses', () => {
  testAddresses(async (app) => {
    const triggers = await app.sql(`SELECT tgname FROM pg_trigger WHERE tgname LIKE '%\\_addresses\\_%'`);
    expect(triggers).toEqual([]);
  });
});
