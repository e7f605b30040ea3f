import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from './database';
import { type PreparedStatement, Tx } from './tx';

export type { PreparedStatement };

/** Superseded by `Database`. */
@Injectable()
export class PreparedStatements {
  constructor(private readonly database: Database) {}

  run<Row>(statement: PreparedStatement, values: readonly unknown[], tx?: Tx): Promise<Row[]> {
    return this.database.hot<Row>(statement, values, tx);
  }

  runIn<Row>(
    manager: EntityManager,
    statement: PreparedStatement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    return new Tx(manager).hot<Row>(statement, values);
  }
}
