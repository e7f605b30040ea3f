import type { Command } from 'commander';
import {
  forgetCredentials,
  credentials,
  serviceUrl,
  shownKey,
  storeCredentials,
  configFile,
} from '../credentials';
import { UsageError } from '../exit';
import { jsonOption } from '../options';
import { Output } from '../output';
import { ask, readStdin } from '../prompt';
import { checkKey, connectTo } from '../service';

interface LoginOptions {
  url?: string;
  apiKey?: string;
  json?: boolean;
}

const DEFAULT_URL = 'http://localhost:3000';

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('Store the URL of the service and an API key for later commands')
    .option('--url <url>', 'URL of the service (default: WAYPOST_URL, else asked for)')
    .option(
      '--api-key <key>',
      'API key; other users of this machine may see arguments: prefer standard input',
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nWithout a terminal, the key is read from standard input:\n  waypost login --url https://waypost.example.com < key.txt',
    )
    .action(login);

  program
    .command('logout')
    .description('Forget the stored URL and API key')
    .addOption(jsonOption())
    .action(async ({ json = false }: { json?: boolean }) => {
      const wasLoggedIn = await forgetCredentials();
      const output = new Output(json);
      if (json) output.document({ loggedOut: wasLoggedIn });
      else
        output.print(
          wasLoggedIn
            ? 'Logged out. The key itself still works: delete it in the console.'
            : 'Not logged in.',
        );
    });

  program
    .command('whoami')
    .description('Show which service and key the commands use, and check them')
    .addOption(jsonOption())
    .action(async ({ json = false }: { json?: boolean }) => {
      const used = await credentials();
      await checkKey(connectTo(used));
      const output = new Output(json);
      const shown = { url: used.url, apiKey: shownKey(used.apiKey) };
      if (json) output.document(shown);
      else output.print(`${shown.url} with the key ${shown.apiKey}`);
    });
}

async function login(options: LoginOptions): Promise<void> {
  const isTerminal = process.stdin.isTTY;
  const { WAYPOST_URL, WAYPOST_API_KEY } = process.env;
  const url =
    options.url ??
    (WAYPOST_URL || (isTerminal ? await ask('URL of the service', { preset: DEFAULT_URL }) : ''));
  if (!url) throw new UsageError('url: is required: set --url or WAYPOST_URL');
  const origin = serviceUrl(url);
  const apiKey = (
    options.apiKey ??
    (WAYPOST_API_KEY || (isTerminal ? await ask('API key', { secret: true }) : await readStdin()))
  ).trim();
  if (!apiKey)
    throw new UsageError(
      'apiKey: is required: set --api-key or WAYPOST_API_KEY, or write it to standard input',
    );
  await checkKey(connectTo({ url: origin, apiKey }));
  await storeCredentials({ url: origin, apiKey });
  const output = new Output(options.json ?? false);
  if (output.json) output.document({ url: origin, apiKey: shownKey(apiKey), file: configFile() });
  else output.print(`Logged in to ${origin} with the key ${shownKey(apiKey)}`);
}
