import { BrowserSession } from '../support/browser-session';
import { TestIdentityProvider } from '../support/identity-provider';
import { API_HOST, useTestApp } from '../support/test-app';

const ORIGIN = `http://${API_HOST}`;
const START = '/api/v1/console/oidc/start';
const ME = '/api/v1/console/me';

describe('console: signing in with an identity provider', () => {
  let provider: TestIdentityProvider;
  beforeAll(async () => {
    provider = await TestIdentityProvider.start();
  });
  afterAll(() => provider.stop());
  const app = useTestApp(() => ({ env: provider.env }));

  it('works', async () => {
    provider.accounts.set('s1', { email: 'a@shop.example.com', email_verified: true, name: 'A B' });
    const browser = new BrowserSession(app);
    const begun = await browser.send('get', `${START}?returnTo=/console/links`);
    console.log(begun.status, begun.headers);
    const callback = await provider.visit(begun.headers.location ?? '', 's1');
    console.log(callback);
    const done = await browser.send('get', callback);
    console.log(done.status, done.headers);
    console.log((await browser.send('get', ME)).body, ORIGIN);
  });
});
