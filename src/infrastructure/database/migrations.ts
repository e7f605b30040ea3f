import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationInterface } from 'typeorm';

const FOLDER = join(__dirname, '..', '..', '..', 'migrations');

/** All migrations of the folder; TypeORM sorts them by the 13 digits that end their class's name. */
export const MIGRATIONS = readdirSync(FOLDER)
  .filter((file) => /\.[jt]s$/.test(file))
  .flatMap((file) =>
    Object.values(module.require(join(FOLDER, file)) as Record<string, new () => MigrationInterface>),
  );
