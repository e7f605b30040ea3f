import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RedisStore } from '../redis/redis';
import { type Readiness, ReadinessChecks } from './readiness-checks';
import { Database } from '../database/database';
import type { Replica } from '../database/replica/replica';

@Injectable()
export class StoreChecks implements OnModuleInit {
  private migrated = false;

  constructor(
    private readonly checks: ReadinessChecks,
    private readonly database: Database,
    private readonly redis: RedisStore,
  ) {}

  onModuleInit(): void {
    this.checks.add({ name: 'postgres', check: () => this.postgres() });
    this.checks.add({ name: 'migrations', check: () => this.migrations() });
    const { replica } = this.database;
    if (replica) this.checks.add({ name: 'replica', check: () => Promise.resolve(readinessOf(replica)) });
    if (this.redis.configured) this.checks.add({ name: 'redis', check: () => this.redisStore() });
  }

  /** Uses a connection that API requests do not wait for: a busy pool does not mean that Postgres is down. */
  private async postgres(): Promise<Readiness> {
    await this.database.lookup('SELECT 1', []);
    return { status: 'up' };
  }

  /** Queries until all migrations have run; the result then stays, because none is reverted while a process runs. */
  private async migrations(): Promise<Readiness> {
    if (this.migrated) return { status: 'up' };
    const rows = await this.database.read<{ name: string }>('SELECT name FROM migrations');
    const applied = new Set(rows.map((row) => row.name));
    const pending = this.database.migrationNames.filter((name) => !applied.has(name)).length;
    this.migrated = pending === 0;
    return this.migrated ? { status: 'up' } : { status: 'down', details: { pending } };
  }

  /**
   * Redis never makes a process unready: the service works without it, if slower, and otherwise all processes would
   * become unready at once.
   */
  private async redisStore(): Promise<Readiness> {
    try {
      await this.redis.ping();
      return { status: 'up' };
    } catch {
      return {
        status: 'degraded',
        details: { message: 'Redis is not reachable; the service works without it' },
      };
    }
  }
}

/** Without a usable replica the primary is read, so this is at most `degraded`. */
function readinessOf(replica: Replica): Readiness {
  if (replica.isUsable) return { status: 'up' };
  const cause = replica.problem === null ? '' : ` (${replica.problem})`;
  return { status: 'degraded', details: { message: `The replica is away or too far behind${cause}` } };
}
