import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { RunnableConfig } from '../infrastructure/runnable-config';
import type { CounterData, Started } from './click-counter';
import { createLogger } from '../common/logging/logger';
import { NestLogger } from '../common/logging/nest-logger';
import { SystemClock } from '../common/time/clock';
import { InvalidConfiguration } from '../config/invalid-configuration';
import { ConfigModule } from '../config/config.module';
import { EncryptionModule } from '../infrastructure/encryption/encryption.module';
import { withPrimary } from '../infrastructure/database/database-address';
import { InfrastructureModule } from '../infrastructure/infrastructure.module';
import { ClickCountingModule } from '../modules/click-statistics/counting/click-counting.module';
import { ClickMetrics, type CountedMemory } from '../modules/clicks/observation/click-metrics';
import { ClickMetricsModule } from '../modules/clicks/observation/click-metrics.module';
import { AppPageClicksModule } from '../modules/attribution/tokens/app-page-clicks.module';
import { ClickedTrackedLinksModule } from '../modules/tracked-links/clicked-tracked-links.module';

/** Connections for counting: one for a batch, the others for its look-ups. */
const POOL = 4;
/** Gives redirects priority if both threads share a core. */
const NICENESS = 10;

@Module({})
class ClickCounterModule {
  static of(config: RunnableConfig, memory: CountedMemory): DynamicModule {
    return {
      module: ClickCounterModule,
      imports: [
        ConfigModule.of(config),
        InfrastructureModule.of({ ...config, databasePool: POOL }, new SystemClock()),
        EncryptionModule.beside(config),
        ClickMetricsModule.of(new ClickMetrics(memory)),
        ClickCountingModule.with(AppPageClicksModule, ClickedTrackedLinksModule),
      ],
    };
  }
}

async function main(): Promise<void> {
  // Only on Linux does this set the priority of the thread; elsewhere it would be that of the process.
  if (process.platform === 'linux') setPriority(0, NICENESS);
  const { config, follows, memory } = workerData as CounterData;
  const database = follows ? await withPrimary(config.database) : config.database;
  const module = ClickCounterModule.of({ ...config, database }, memory);
  const context = await NestFactory.createApplicationContext(module, {
    abortOnError: false,
    logger: new NestLogger(createLogger(config.logLevel)),
  });
  parentPort?.once('message', () => void context.close().then(() => parentPort?.close()));
  tell({});
}

function tell(started: Started): void {
  parentPort?.postMessage(started);
}

main().catch((error: unknown) => {
  if (!(error instanceof InvalidConfiguration)) throw error;
  tell({ refused: error.message });
  // Exits the thread, because modules that have started hold connections.
  process.exit();
});
