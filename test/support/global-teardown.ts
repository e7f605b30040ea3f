import type { TestServer } from './servers';

export default async function globalTeardown(): Promise<void> {
  const { __WAYPOST_TEST_SERVERS__: servers } = globalThis as unknown as {
    __WAYPOST_TEST_SERVERS__: TestServer[];
  };
  await Promise.all(servers.map((server) => server.stop()));
}
