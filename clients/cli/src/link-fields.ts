import type { Command } from 'commander';
import { collectList, jsonOption, wholeNumber } from './options';

/** Options that links and campaigns share. */
export interface LinkFieldOptions {
  title?: string;
  domain?: string;
  expiresAt?: string;
  externalId?: string;
  utmSource?: string;
  utmMedium?: string;
  utmCampaign?: string;
  utmTerm?: string;
  utmContent?: string;
  tag?: string[];
  maxClicks?: number;
  findIfExists?: boolean;
}

export function addLinkFields(command: Command): Command {
  return command
    .option('--title <title>', 'Title')
    .option('--domain <name>', 'Custom domain (default: the short domain of the service)')
    .option('--expires-at <time>', 'When it ends, such as 2030-12-31T23:59:59Z')
    .option('--external-id <id>', 'Id of your own')
    .option('--tag <tags>', 'Tags, separated by commas', collectList)
    .option('--max-clicks <number>', 'Clicks after which it ends', wholeNumber(1))
    .option('--find-if-exists', 'Answer with one that has the same destination and settings, if there is one')
    .option('--utm-source <value>', 'utm_source to add to the destination')
    .option('--utm-medium <value>', 'utm_medium to add to the destination')
    .option('--utm-campaign <value>', 'utm_campaign to add to the destination')
    .option('--utm-term <value>', 'utm_term to add to the destination')
    .option('--utm-content <value>', 'utm_content to add to the destination')
    .addOption(jsonOption());
}

/** Fields that have the same name in both. */
export function linkFieldsOf(options: LinkFieldOptions) {
  const { title, externalId, utmSource, utmMedium, utmCampaign, utmTerm, utmContent } = options;
  const { tag: tags, maxClicks, findIfExists } = options;
  return {
    ...{ title, externalId, utmSource, utmMedium, utmCampaign, utmTerm, utmContent },
    ...{ tags, maxClicks, findIfExists },
  };
}
