import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { makeKey } from '../../access/api-keys/key-format';
import type { Caller } from '../../access/caller';
import { Clock } from '../../common/time/clock';
import { isReservedWord } from '../domains/reserved-words';
import type { App } from './app.entity';
import type { AppFields } from './app-fields';
import { AppKeys } from './keys/app-keys';
import { AppsRepository } from './apps.repository';
import type { Tx } from '../../infrastructure/database/database';

const PATH_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const PATH_LENGTH = 6;
/** Of 36^6 paths, collisions are rare; ten in a row mean that something else is wrong. */
const MAX_TRIES = 10;
const DEFAULT_SDK_RATE = 1000;

@Injectable()
export class AppFactory {
  constructor(
    private readonly apps: AppsRepository,
    private readonly keys: AppKeys,
    private readonly clock: Clock,
  ) {}

  async add(tx: Tx, { organizationId, userId }: Caller, fields: AppFields): Promise<App> {
    const id = await this.apps.nextId(tx);
    const key = this.keys.make({ id, organizationId });
    const now = this.clock.date();
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const app: App = {
        id,
        organizationId,
        path: makePath(),
        ...fields,
        ...key,
        publishableKey: makeKey('wp_pub_'),
        onShortDomain: false,
        sdkRatePerMinute: DEFAULT_SDK_RATE,
        createdBy: userId,
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      };
      if (await this.apps.insert(tx, app)) return app;
    }
    throw new Error(`No free path found in ${MAX_TRIES} tries`);
  }
}

/** Lower case, because people read paths aloud and type them; reserved words are avoided. */
function makePath(): string {
  const character = () => PATH_CHARACTERS.charAt(randomInt(PATH_CHARACTERS.length));
  for (;;) {
    const path = Array.from({ length: PATH_LENGTH }, character).join('');
    if (!isReservedWord(path)) return path;
  }
}
