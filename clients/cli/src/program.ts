import { Command } from 'commander';
import { addCampaigns } from './commands/campaigns';
import { addCompletion } from './commands/completion';
import { addDomains } from './commands/domains';
import { addLinks } from './commands/links';
import { addLogin } from './commands/login';
import { addMcp } from './commands/mcp';
import { addTail } from './commands/tail';
import { addWebhooks } from './commands/webhooks';
import { VERSION } from './version';

/** All commands. */
export function program(): Command {
  const waypost = new Command('waypost')
    .description('Short links, campaigns and their clicks, in the terminal')
    .version(VERSION, '-v, --version', 'Print the version')
    .helpOption('-h, --help', 'Show help')
    .helpCommand('help [command]', 'Show help for a command')
    .configureHelp({ sortOptions: true })
    .showHelpAfterError('Run the command with --help for its options')
    .exitOverride();
  addLogin(waypost);
  addLinks(waypost);
  addCampaigns(waypost);
  addDomains(waypost);
  addWebhooks(waypost);
  addTail(waypost);
  addMcp(waypost);
  addCompletion(waypost);
  return waypost;
}
