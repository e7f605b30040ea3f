import { Agent, get } from 'node:http';

const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/**
 * Requests every path once over keep-alive connections.
 * @returns how often each path was answered with a redirect
 */
export async function requestEach(
  port: number,
  host: string,
  paths: readonly string[],
  connections: number,
): Promise<Map<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answered = new Map<string, number>();
  let next = 0;
  const run = async () => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
      const status = await statusOf({ agent, port, host, path, headers: { 'User-Agent': USER_AGENT } });
      if (status === 302) answered.set(path, (answered.get(path) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: connections }, run));
  agent.destroy();
  return answered;
}

function statusOf(options: {
  agent: Agent;
  port: number;
  host: string;
  path: string;
  headers: Record<string, string>;
}): Promise<number> {
  return new Promise((resolve, reject) => {
    get(options, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });
}
