import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from './config';
import { InvalidConfiguration } from './invalid-configuration';

const TOKEN = 'a-console-token-of-a-file';
const KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

describe('settings from files', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'waypost-secrets-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Creates a file. @returns its path */
  function file(content: string): string {
    const path = join(folder, `${Math.random()}`);
    writeFileSync(path, content);
    return path;
  }

  /** The lines that a start prints before it fails. */
  function problems(env: Record<string, string>): string[] {
    try {
      readConfig(env);
      return [];
    } catch (error) {
      if (!(error instanceof InvalidConfiguration)) throw error;
      return error.message.split('\n');
    }
  }

  it.each<[string, string, (config: Config) => unknown]>([
    ['DATABASE_URL', 'postgres://waypost:secret@db/waypost', (config) => config.databaseUrl],
    ['DATABASE_DIRECT_URL', 'postgres://waypost:secret@direct/waypost', (config) => config.databaseDirectUrl],
    ['DATABASE_REPLICA_URL', 'postgres://waypost:secret@copy/waypost', (config) => config.databaseReplicaUrl],
    ['REDIS_URL', 'redis://:secret@redis:6379', (config) => config.redisUrl],
    ['CONSOLE_TOKEN', TOKEN, (config) => config.consoleToken],
    ['ENCRYPTION_KEYS', KEYS, (config) => config.encryptionKeys],
  ])('give %s', (name, value, read) => {
    const env = { DATABASE_URL: 'postgres://db/waypost' };
    const expected = read(readConfig({ ...env, [name]: value }));
    expect(expected).toBeDefined();
    for (const content of [value, `${value}\n`, `${value}\r\n`]) {
      expect(read(readConfig({ ...env, [`${name}_FILE`]: file(content), [name]: '' }))).toEqual(expected);
    }
  });

  it('give the secret of the identity provider, whose spaces and further newlines stay', () => {
    const oidc = { OIDC_ISSUER: 'https://sso.example.com', OIDC_CLIENT_ID: 'waypost' };
    const config = readConfig({ ...oidc, OIDC_CLIENT_SECRET_FILE: file(' a secret \n\n') });
    expect(config.oidc?.clientSecret).toBe(' a secret \n');
  });

  it('are refused by name together with the setting itself', () => {
    expect(problems({ CONSOLE_TOKEN: TOKEN, CONSOLE_TOKEN_FILE: file(TOKEN) })).toEqual([
      'CONSOLE_TOKEN: must not be set together with CONSOLE_TOKEN_FILE',
    ]);
  });

  it('are refused by name when they are missing, a folder or empty, together with all other problems', () => {
    const env = {
      DATABASE_URL_FILE: join(folder, 'missing'),
      REDIS_URL_FILE: folder,
      CONSOLE_TOKEN_FILE: file('\n'),
      ENCRYPTION_KEYS_FILE: '',
      PORT: 'x',
    };
    expect(problems(env)).toEqual([
      'DATABASE_URL_FILE: cannot be read (ENOENT)',
      'REDIS_URL_FILE: cannot be read (EISDIR)',
      'CONSOLE_TOKEN_FILE: the file is empty',
      'PORT: must be a whole number',
    ]);
  });

  it('are checked like the setting, without their content in the message', () => {
    expect(problems({ ENCRYPTION_KEYS_FILE: file('k1:not-a-key') })).toEqual([
      expect.stringMatching(/^ENCRYPTION_KEYS: entry 1 must be <id>/),
    ]);
    const [problem] = problems({ DATABASE_URL_FILE: 'postgres://waypost:secret@db/waypost' });
    expect(problem).toBe('DATABASE_URL_FILE: cannot be read (ENOENT)');
  });
});
