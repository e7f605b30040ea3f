import { Redis } from 'ioredis';
import { RedisServer } from '../support/servers';
import { createTestDatabase } from '../support/test-app';
import { Customer, type TestLink } from './customer';
import { FaultProxy } from './fault-proxy';
import type { Listener } from './live-listener';
import { Load, type LoadOptions } from './load';
import { Service } from './service';

/** Duration of a test in seconds: short by default, overridden by FAULT_SECONDS. */
export function stormSeconds(short: number): number {
  return Number(process.env.FAULT_SECONDS ?? short);
}

/** Everything that a test has started, stopped in reverse order at its end. */
export class Stage {
  private readonly ends: (() => Promise<unknown>)[] = [];

  /** Starts a service, which is killed at the end: graceful stops are for tests to check. */
  async service(env: Record<string, string>): Promise<Service> {
    const service = await Service.start(env);
    this.ends.push(() => service.kill());
    return service;
  }

  /** Starts a service without waiting until it is ready. */
  async launch(env: Record<string, string>): Promise<Service> {
    const service = await Service.launch(env);
    this.ends.push(() => service.kill());
    return service;
  }

  async redis(): Promise<RedisServer> {
    const redis = await RedisServer.start();
    this.ends.push(() => redis.stop('SIGKILL'));
    return redis;
  }

  /** A connection of the test's own to a Redis. */
  async client(url: string): Promise<Redis> {
    // By default, a client whose server has gone keeps the process alive for two seconds.
    const client = new Redis(url, { lazyConnect: true, disconnectTimeout: 0 });
    this.ends.push(async () => client.disconnect());
    await client.connect();
    return client;
  }

  /** Starts a proxy in front of a store. @returns the proxy and the store's URL through it */
  async proxied(url: string): Promise<{ proxy: FaultProxy; url: string }> {
    const proxy = await FaultProxy.start(Number(new URL(url).port));
    this.ends.push(() => proxy.stop());
    return { proxy, url: proxy.through(url) };
  }

  /** Ends something that a test has started. */
  ending(end: () => Promise<unknown>): void {
    this.ends.push(end);
  }

  /** Creates a migrated database. @returns its URL */
  async database(): Promise<string> {
    return (await createTestDatabase()).url;
  }

  listener(listener: Listener): Listener {
    this.ends.push(() => listener.stop());
    return listener;
  }

  load(options: LoadOptions): Load {
    const load = Load.start(options);
    this.ends.push(() => load.stop());
    return load;
  }

  async clear(): Promise<void> {
    for (const end of this.ends.splice(0).reverse()) await end();
  }
}

/** Creates an organization with `count` links through a process of the service. */
export async function links(service: Service, count = 20): Promise<TestLink[]> {
  const customer = await Customer.create(service.url);
  return customer.createLinks(service.url, count);
}
