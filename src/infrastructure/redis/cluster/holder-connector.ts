import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector } from 'ioredis';
import type { HostAndPort } from '../../../config/redis-address';

const LOOK_AGAIN_MS = 100;
const DISCONNECT_TIMEOUT_MS = 250;

/**
 * A `Connector` of ioredis that connects to whatever `find` returns at the time. It waits for an address, because
 * ioredis does not retry after a connector has failed.
 */
export function holderConnector(find: () => HostAndPort | undefined, tls: boolean) {
  return class HolderConnector extends AbstractConnector {
    constructor() {
      super(DISCONNECT_TIMEOUT_MS);
    }

    async connect() {
      this.connecting = true;
      let address = find();
      while (!address && this.wanted()) {
        await delay(LOOK_AGAIN_MS, undefined, { ref: false });
        address = find();
      }
      if (!address || !this.wanted()) throw new Error('Connection is closed.');
      const { host, port } = address;
      const stream = tls ? connectTls({ host, port }) : createConnection({ host, port });
      stream.once('error', (error: Error) => (this.firstError = error));
      this.stream = stream;
      return stream;
    }

    /** A method, because TypeScript would narrow the field to true for the whole loop. */
    private wanted(): boolean {
      return this.connecting;
    }
  };
}
