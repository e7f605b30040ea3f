import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { CHROME, GOOGLEBOT, IPHONE } from '../support/visits';
import type { TestLink } from './customer';

const USER_AGENTS = [CHROME, IPHONE, CHROME, GOOGLEBOT];
/** Timeout of a visit. */
const VISIT_TIMEOUT_MS = 20_000;
/** What a proxy answers when a process that it has asked does not. */
const LOST_BY_PROXY = [502, 504];

/** The outcome while nobody listens. */
const REFUSED = 'ECONNREFUSED';

/** Outcomes of visits to one link, by people or by bots. */
export interface Tally {
  readonly link: TestLink;
  readonly bots: boolean;
  /** Redirects received completely. */
  answered: number;
  /** Requests sent on an open connection without a response: counted or not. */
  unanswered: number;
}

export interface LoadOptions {
  /** Address of the processes; 127.0.0.1 by default. */
  host?: string;
  /** Ports of the processes, visited in turn. */
  ports: readonly number[];
  links: readonly TestLink[];
  connections?: number;
  /** Default true; false opens a new connection for each visit. */
  keepAlive?: boolean;
  /** Pause between a response and the connection's next request. */
  pauseMs?: number;
}

/** Visits links from distinct visitors until stopped. */
export class Load {
  readonly tallies: Tally[];
  /** Visits without a redirect, with their outcome. */
  readonly failures: string[] = [];
  /** Longest wait for a redirect, in milliseconds. */
  longest = 0;
  private stopping = false;
  private visits = 0;
  /** Numbers of visits that wait for their answer. */
  private readonly inFlight = new Set<number>();
  private readonly running: Promise<void>[];

  private constructor(private readonly options: LoadOptions) {
    this.tallies = options.links.flatMap((link) => [
      { link, bots: false, answered: 0, unanswered: 0 },
      { link, bots: true, answered: 0, unanswered: 0 },
    ]);
    const { ports, connections = 8 } = options;
    this.running = Array.from({ length: connections }, (_, i) =>
      this.connection(ports[i % ports.length] ?? 0),
    );
  }

  static start(options: LoadOptions): Load {
    return new Load(options);
  }

  get answered(): number {
    return this.tallies.reduce((sum, tally) => sum + tally.answered, 0);
  }

  /** Waits until every link has been visited, so that all are cached, and until nobody looks one up any more. */
  async warm(): Promise<this> {
    const unknown = () => this.tallies.filter(({ bots, answered }) => !bots && answered === 0).length;
    await eventually(async () => expect(unknown()).toBe(0));
    const { visits } = this;
    await eventually(async () => expect(Math.min(visits, ...this.inFlight)).toBe(visits));
    return this;
  }

  /** Stops, and resolves when visits in flight have ended. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.running);
  }

  /** A function, because TypeScript's control flow would narrow the field to false inside the loop. */
  private stopped(): boolean {
    return this.stopping;
  }

  private async connection(port: number): Promise<void> {
    const agent = new Agent({ keepAlive: this.options.keepAlive ?? true, maxSockets: 1 });
    while (!this.stopped()) {
      await this.visit(agent, port);
      await delay(this.options.pauseMs ?? 20);
    }
    agent.destroy();
  }

  private async visit(agent: Agent, port: number): Promise<void> {
    const number = this.visits++;
    const userAgent = USER_AGENTS[number % USER_AGENTS.length] ?? '';
    const { links } = this.options;
    const link = links[Math.floor(number / USER_AGENTS.length) % links.length];
    const bots = userAgent === GOOGLEBOT;
    const tally = this.tallies.find((candidate) => candidate.link === link && candidate.bots === bots);
    if (!link || !tally) return;
    const headers = {
      Host: 'localhost',
      'User-Agent': userAgent,
      'X-Forwarded-For': `198.51.${(number >> 8) % 256}.${number % 256}`,
    };
    const sentAt = performance.now();
    this.inFlight.add(number);
    const outcome = await answerOf({
      agent,
      host: this.options.host ?? '127.0.0.1',
      port,
      path: `/${link.code}`,
      headers,
    });
    this.inFlight.delete(number);
    if (outcome === 302) {
      tally.answered++;
      this.longest = Math.max(this.longest, performance.now() - sentAt);
      return;
    }
    this.failures.push(`${link.code} after ${Math.round(performance.now() - sentAt)} ms: ${outcome}`);
    if (outcome === REFUSED) await delay(20);
    // Other responses are not counted, but a proxy may have lost the response of a process.
    else if (typeof outcome === 'string' || LOST_BY_PROXY.includes(outcome)) tally.unanswered++;
  }
}

/** The status of a complete response, or the error. */
function answerOf(request: {
  agent: Agent;
  host: string;
  port: number;
  path: string;
  headers: Record<string, string>;
}): Promise<number | string> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
    const answered = (response: IncomingMessage) => {
      response.on('error', failed);
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    };
    const sent = get(request, answered);
    sent.on('error', failed);
    sent.setTimeout(VISIT_TIMEOUT_MS, () => sent.destroy(new Error('no answer')));
  });
}
