import { readConfig } from './config';
import { InvalidConfiguration } from './invalid-configuration';

const ALL = {
  OIDC_ISSUER: 'https://sso.example.com/realms/acme',
  OIDC_CLIENT_ID: 'waypost',
  OIDC_CLIENT_SECRET: 'a secret of the provider',
};

/** The error of the start; null if the settings are valid. */
function problemWith(settings: Record<string, string>): string | null {
  try {
    readConfig(settings);
    return null;
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    return error.message;
  }
}

describe('settings of the identity provider', () => {
  it('are optional', () => {
    expect(readConfig({})).toMatchObject({ oidc: null, passwordLogin: true });
  });

  it('need only three', () => {
    const { oidc } = readConfig(ALL);
    expect(oidc).toEqual({
      issuer: 'https://sso.example.com/realms/acme',
      clientId: 'waypost',
      clientSecret: 'a secret of the provider',
      label: 'sso.example.com',
      newcomers: null,
    });
  });

  it('say where strangers come in', () => {
    const more = { OIDC_LABEL: 'Acme SSO', OIDC_DEFAULT_ROLE: 'EDITOR', OIDC_DEFAULT_ORGANIZATION: '7' };
    const { oidc } = readConfig({ ...ALL, ...more });
    expect(oidc).toMatchObject({ label: 'Acme SSO', newcomers: { organizationId: 7, role: 'EDITOR' } });
  });

  it.each(Object.keys(ALL))('are refused without %s', (name) => {
    const problem = problemWith({ ...ALL, [name]: '' });
    expect(problem).toMatch(new RegExp(`^${name}: is required with `));
    expect(problem).not.toContain(ALL.OIDC_CLIENT_SECRET);
  });

  it.each([
    [{ OIDC_LABEL: 'Acme' }, 'OIDC_ISSUER'],
    [{ ...ALL, OIDC_DEFAULT_ROLE: 'VIEWER' }, 'OIDC_DEFAULT_ORGANIZATION'],
    [{ ...ALL, OIDC_DEFAULT_ORGANIZATION: '7' }, 'OIDC_DEFAULT_ROLE'],
    [{ PASSWORD_LOGIN: 'false' }, 'OIDC_ISSUER'],
  ])('are refused in part: %j', (settings, missing) => {
    expect(problemWith(settings)).toMatch(new RegExp(`^${missing}: is required with `));
  });

  it.each([
    ['OIDC_ISSUER', 'sso.example.com'],
    ['OIDC_ISSUER', 'http://sso.example.com'],
    ['OIDC_ISSUER', 'http://127.0.0.1.evil.example'],
    ['OIDC_ISSUER', 'https://sso.example.com/?tenant=1'],
    ['OIDC_ISSUER', 'https://user:password@sso.example.com'],
    ['OIDC_DEFAULT_ROLE', 'OWNER'],
    ['OIDC_DEFAULT_ORGANIZATION', '0'],
    ['OIDC_DEFAULT_ORGANIZATION', '1.5'],
    ['OIDC_LABEL', 'x'.repeat(101)],
    ['PASSWORD_LOGIN', 'no'],
  ])('are refused when %s is %s', (name, value) => {
    const problem = problemWith({ ...ALL, [name]: value });
    expect(problem).toMatch(new RegExp(`^${name}: `));
  });

  it.each(['http://localhost:8080/realms/acme', 'http://127.0.0.1:8080', 'http://[::1]:8080'])(
    'allow plain HTTP on this machine: %s',
    (issuer) => {
      expect(problemWith({ ...ALL, OIDC_ISSUER: issuer })).toBeNull();
    },
  );
});
