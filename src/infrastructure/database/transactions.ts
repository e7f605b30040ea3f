import { Injectable } from '@nestjs/common';
import { Database } from './database';
import { Tx } from './tx';

export { Tx };

/** Superseded by `Database`. */
@Injectable()
export class Transactions {
  constructor(private readonly database: Database) {}

  get current(): Tx | undefined {
    return this.database.current;
  }

  run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.write(work);
  }

  enclose<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.enclose(work);
  }
}
