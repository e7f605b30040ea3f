import { NestFactory } from '@nestjs/core';
import { DemoOrganization } from '../access/demo-organization';
import { AppModule } from '../app.module';
import type { Application } from '../server/application';
import { createLogger } from '../common/logging/logger';
import { NestLogger } from '../common/logging/nest-logger';
import { readConfig } from '../config/config';
import { InvalidConfiguration } from '../config/invalid-configuration';
import { DemoClock } from '../demo/demo-clock';
import { fillDemo } from '../demo/fill-demo';
import { ensureDemo } from '../start/introduction';
import { type PreparedStart, runService } from '../start/run-service';
import { printProblem } from '../start/start-problems';

/** The demo's destinations do not exist, so they are not requested. */
const NO_REQUESTS = { linkHealth: false, ogFetch: false };

const say = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * `npm run demo`: fills the Demo organization with an application whose clock is in the past, and then serves like `npm
 * start`.
 */
async function prepare({ config, isEmbedded, stopping }: PreparedStart): Promise<{ createdDemo: boolean }> {
  const clock = new DemoClock();
  const logger = createLogger(config.logLevel === 'info' ? 'warn' : config.logLevel);
  // The role `web` excludes scheduled work, which must not run with the past clock.
  const module = AppModule.of({ ...config, role: 'web' }, { clock, counting: true, logger });
  const nest = await NestFactory.createApplicationContext(module, {
    abortOnError: false,
    logger: new NestLogger(logger),
  });
  try {
    const organization = nest.get(DemoOrganization, { strict: false });
    const { consoleToken } = config;
    const { created: createdDemo } =
      isEmbedded && consoleToken !== undefined
        ? await ensureDemo(organization, config, consoleToken)
        : { created: false };
    const organizationId = await organization.open();
    if (organizationId === null) {
      throw new InvalidConfiguration(
        'DATABASE_URL: a user named demo belongs to another organization than Demo',
      );
    }
    say(
      'Filling the Demo organization with three months of data. Ctrl-C stops it; the next run makes it anew.',
    );
    const result = await fillDemo({ nest, organizationId, clock, clicks: config.demoClicks, stopping, say });
    say(MESSAGES[result]);
    return { createdDemo };
  } finally {
    await nest.close();
  }
}

const MESSAGES = {
  filled: 'The Demo organization is filled.',
  'filled before': 'The Demo organization has been filled already.',
  interrupted: 'Stopped. Run npm run demo again to make it anew.',
};

/** With a configured database, nothing else prints how to sign in. */
async function listening({ demoOrganization }: Application): Promise<void> {
  const organizationId = await demoOrganization.open();
  const link = organizationId === null ? null : await demoOrganization.signInLink(organizationId);
  if (link !== null) say(`\nWaypost is running. Console: ${link}\n`);
}

async function main(): Promise<void> {
  await runService({ ...readConfig(process.env), ...NO_REQUESTS }, { prepare, listening });
}

main().catch((error: unknown) => {
  printProblem(error);
  process.exitCode = 1;
});
