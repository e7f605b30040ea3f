import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { Database } from '../database/database';
import type { Sample } from './hot-counters';
import { Metrics } from './metrics';

/** What this process is, and its connections to Postgres. */
@Injectable()
export class ProcessMetrics {
  constructor(metrics: Metrics, database: Database, @Inject(CONFIG) { role }: Config) {
    const labels = { version: packageVersion(), node: process.version, role };
    const gauge = (name: string, help: string, read: () => Sample[]) =>
      metrics.register({ name, get: () => ({ name, help, type: 'gauge', values: read() }) });
    gauge('waypost_build_info', 'What runs, in its labels', () => [{ labels, value: 1 }]);
    gauge('waypost_database_connections', 'Connections to Postgres by pool and state', () =>
      database.pools().flatMap(({ name: pool, inUse, idle }) => [
        { labels: { pool, state: 'in_use' }, value: inUse },
        { labels: { pool, state: 'idle' }, value: idle },
      ]),
    );
    gauge('waypost_database_waiting', 'Statements that wait for a connection, by pool', () =>
      database.pools().map(({ name: pool, waiting }) => ({ labels: { pool }, value: waiting })),
    );
  }
}

/** Found from the sources and from the compiled code. */
function packageVersion(): string {
  const files = ['../../../package.json', '../../../../package.json'].map((path) => join(__dirname, path));
  const file = files.find((each) => existsSync(each));
  return file ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : 'unknown';
}
