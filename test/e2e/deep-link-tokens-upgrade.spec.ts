import { DataSource } from 'typeorm';
import { KeysOfTokens1700000012960 } from '../../migrations/1700000012960-keys-of-tokens';
import { AppPageTokens, sqlKeyOf } from '../../src/modules/attribution/tokens/app-page-tokens';
import { TokenClicks } from '../../src/modules/attribution/tokens/token-clicks';
import { openAppPage, tokenBefore } from '../support/app-pages';
import { createOrganization } from '../support/factories';
import { createApp, createLink } from '../support/links';
import { useTestApp } from '../support/test-app';

describe.each([
  ['with Redis', true],
  ['without Redis', false],
])('a click with a token of the version before, %s', (_name, redis) => {
  const app = useTestApp({ redis });

  it('is counted beside processes of the version before', async () => {
    const organization = await createOrganization(app);
    const appId = await createApp(app, organization, 'iOS', `shop${redis}`);
    const runner = app.get(DataSource).createQueryRunner();
    const migration = new KeysOfTokens1700000012960();
    await migration.down(runner);
    const { id: trackedLinkId } = await createLink(organization);
    const { organizationId } = organization;
    const [early, late] = [await tokenBefore(app), await tokenBefore(app)];
    const unowned = () => app.sql('SELECT FROM deep_link_tokens WHERE organization_id = 0');
    const report = (token: string) =>
      app.sql(
        `INSERT INTO deep_link_tokens (issued_at, token_hash, resolution) VALUES ($1, $2, '1x1')
           ON CONFLICT (issued_at, token_hash) DO UPDATE SET resolution = excluded.resolution`,
        sqlKeyOf(app.get(AppPageTokens).read(token) ?? { issuedAt: 0, hash: '' }),
      );
    await report(early.token);
    await migration.up(runner);
    await migration.up(runner);
    await report(late.token);
    await report(late.token);
    expect(await unowned()).toHaveLength(2);
    for (const { key, token } of [early, late]) {
      await openAppPage(app, organization, { trackedLinkId, appIds: [appId], tokenKey: key });
      expect(await app.get(TokenClicks).find(organizationId, token)).toMatchObject({ appIds: [appId] });
      await report(token);
    }
    expect(await unowned()).toEqual([]);
    const page = {
      organization: organizationId,
      resolution: '1x1',
      language: null,
      visited: false,
      stages: 1,
    };
    const pages = await app.sql(
      `SELECT t.organization_id AS organization, resolution, language, store_visited_at IS NOT NULL AS visited, s.stages
           FROM deep_link_tokens AS t JOIN funnel_sessions AS s ON s.organization_id = t.organization_id AND s.id = t.session_id
          WHERE t.target_id = $1`,
      [trackedLinkId],
    );
    expect(pages).toEqual([page, page]);
    await migration.down(runner);
    await migration.up(runner);
    await runner.release();
  });
});
