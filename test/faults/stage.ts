import { RedisServer } from '../support/servers';
import { createTestDatabase } from '../support/test-app';
import { Customer, type TestLink } from './customer';
import { FaultProxy } from './fault-proxy';
import { Load, type LoadOptions } from './load';
import { Service } from './service';

/** Length of a storm: a short form by default, FAULT_SECONDS for the long one. */
export function stormSeconds(short: number): number {
  return Number(process.env.FAULT_SECONDS ?? short);
}

/** Everything that a test has started; it ends with the test, the latest first. */
export class Stage {
  private readonly ends: (() => Promise<unknown>)[] = [];

  /** Services are killed: whether they stop well is for tests to ask. */
  async service(env: Record<string, string>): Promise<Service> {
    const service = await Service.start(env);
    this.ends.push(() => service.kill());
    return service;
  }

  /** A service that need not come up. */
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

  /** A proxy in front of a store, whose URL by way of it comes too. */
  async proxied(url: string): Promise<{ proxy: FaultProxy; url: string }> {
    const proxy = await FaultProxy.start(Number(new URL(url).port));
    this.ends.push(() => proxy.stop());
    return { proxy, url: proxy.through(url) };
  }

  /** URL of a migrated database. */
  async database(): Promise<string> {
    return (await createTestDatabase()).url;
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

/** An organization with this many links, made through a process of the service. */
export async function links(service: Service, count = 20): Promise<TestLink[]> {
  const customer = await Customer.create(service.url);
  return customer.createLinks(service.url, count);
}
