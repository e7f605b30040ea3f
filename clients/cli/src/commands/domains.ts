import type { Command } from 'commander';
import { EXIT } from '../exit';
import { jsonOption, limitOption } from '../options';
import { Output } from '../output';
import { domainId, service, take } from '../service';

export function addDomains(program: Command): void {
  const domains = program.command('domains').description('List and check custom domains');
  domains
    .command('list')
    .description('List custom domains')
    .option('--search <text>', 'Part of the name')
    .addOption(limitOption())
    .addOption(jsonOption())
    .action(async (options: { search?: string; limit: number; json?: boolean }) => {
      const { json = false, limit, search } = options;
      const api = await service();
      const found = await take(api.domains.listCustomDomains({ search, size: Math.min(limit, 100) }), limit);
      const output = new Output(json);
      if (json) output.document(found);
      else {
        output.table(
          ['ID', 'DOMAIN', 'STATUS', 'PROBLEM', 'ADDED'],
          found.map((domain) => [
            domain.id,
            domain.domainName,
            domain.status,
            domain.lastCheck?.problem,
            domain.createdAt.slice(0, 10),
          ]),
        );
      }
    });

  domains
    .command('check')
    .description('Look up the DNS records of a custom domain now')
    .argument('<domain>', 'Name, or id')
    .addOption(jsonOption())
    .action(async (name: string, { json = false }: { json?: boolean }) => {
      const api = await service();
      const domain = await api.domains.verifyCustomDomain({ id: await domainId(api, name) });
      const isUsable = domain.status === 'VERIFIED' || domain.status === 'ACTIVE';
      if (!isUsable) process.exitCode = EXIT.failure;
      const output = new Output(json);
      if (json) {
        output.document(domain);
        return;
      }
      output.print(`${domain.domainName}: ${domain.status}`);
      if (domain.lastCheck?.message) output.print(`${domain.lastCheck.message}.`);
      if (domain.expectedRecords.length === 0) return;
      output.print('Records that it needs:');
      output.table(
        ['TYPE', 'NAME', 'VALUE'],
        domain.expectedRecords.map(({ type, name: record, value }) => [type, record, value]),
      );
    });
}
