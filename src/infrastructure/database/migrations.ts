import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationInterface } from 'typeorm';

const FOLDER = join(__dirname, '..', '..', '..', 'migrations');

/** Every migration: a new one is a new file in the folder, and nothing else. TypeORM orders them by their names. */
export const MIGRATIONS = readdirSync(FOLDER)
  .filter((file) => /\.[jt]s$/.test(file))
  .flatMap((file) =>
    Object.values(module.require(join(FOLDER, file)) as Record<string, new () => MigrationInterface>),
  );
