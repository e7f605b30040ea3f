import type { Schemas } from '@waypost/client';
import { type Command, Option } from 'commander';
import { untilInterrupted } from '../interrupt';
import { jsonOption } from '../options';
import { Output } from '../output';
import { findCampaign, findLink, service, type Service } from '../service';
import { printable } from '../text';

const BOTS = ['exclude', 'include', 'only'] as const;

interface TailOptions {
  link?: string;
  campaign?: string;
  bots: (typeof BOTS)[number];
  json?: boolean;
}

export function addTail(program: Command): void {
  program
    .command('tail')
    .description('Show clicks as they come')
    .addOption(
      new Option('--link <link>', 'Only clicks of this link: id, code or short URL').conflicts('campaign'),
    )
    .option('--campaign <campaign>', 'Only clicks of this campaign: id, alias or URL')
    .addOption(new Option('--bots <choice>', 'Clicks of programs').choices(BOTS).default('exclude'))
    .addOption(jsonOption())
    .action(async ({ link, campaign, bots, json = false }: TailOptions) => {
      const api = await service();
      const filter = {
        bots,
        urlId: link === undefined ? undefined : (await findLink(api, link)).id,
        campaignId: campaign === undefined ? undefined : (await findCampaign(api, campaign)).id,
      };
      const output = new Output(json);
      await untilInterrupted((signal) => follow(api, filter, output, signal));
    });
}

type Filter = NonNullable<Parameters<Service['analytics']['streamClicks']>[0]>;

async function follow(api: Service, filter: Filter, output: Output, signal: AbortSignal): Promise<void> {
  let isReady = false;
  for await (const event of api.analytics.streamClicks(filter, { signal })) {
    if (event.type === 'clicks') for (const click of event.clicks) show(output, click);
    if (event.type === 'reset')
      output.note('Clicks may be missing here: the connection was away for too long');
    if (event.type === 'ready' && !isReady) output.note('Waiting for clicks (Ctrl-C to end)');
    isReady ||= event.type === 'ready';
  }
}

function show(output: Output, click: Schemas['ClickResponse']): void {
  if (output.json) {
    output.print(JSON.stringify(click));
    return;
  }
  const { clickedAt, urlId, campaignId, country, deviceType, os, browser, referrer, isBot } = click;
  const what = urlId === null ? `campaign ${campaignId}` : `link ${urlId}`;
  const facts = [country, deviceType, os, browser, referrer ?? 'Direct', isBot ? 'bot' : null];
  const shown = facts.filter((fact) => fact !== null).map(printable);
  output.print(`${output.style('dim', clickedAt)}  ${output.style('bold', what)}  ${shown.join(' · ')}`);
}
