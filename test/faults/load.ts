import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { CHROME, GOOGLEBOT, IPHONE } from '../support/visits';
import type { TestLink } from './customer';

const USER_AGENTS = [CHROME, IPHONE, CHROME, GOOGLEBOT];
/** A visitor who waited for so long gives up. */
const PATIENCE_MS = 20_000;

/** What became of the visits to one link, of people or of bots. */
export interface Tally {
  readonly link: TestLink;
  readonly bots: boolean;
  /** Redirects that arrived whole. */
  answered: number;
  /** Requests that went out on an open connection and got no answer: counted or not. */
  unanswered: number;
}

export interface LoadOptions {
  /** Ports of the processes that the visits go to, in turn. */
  ports: readonly number[];
  links: readonly TestLink[];
  connections?: number;
  /** Default true; false is a new connection for each visit. */
  keepAlive?: boolean;
  /** Between an answer and the next request of a connection. */
  pauseMs?: number;
}

/** Visits to links from distinct visitors, until it is stopped. */
export class Load {
  readonly tallies: Tally[];
  /** Visits without a redirect, with what came instead. Those that found nobody listening are not among them. */
  readonly failures: string[] = [];
  /** Longest wait for a redirect, in milliseconds. */
  longest = 0;
  private stopping = false;
  private visits = 0;
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

  /** Waits until every link has been followed, so that the service knows them all. */
  async warm(): Promise<this> {
    const unknown = () => this.tallies.filter(({ bots, answered }) => !bots && answered === 0).length;
    await eventually(async () => expect(unknown()).toBe(0));
    return this;
  }

  /** Resolves when everybody who was on the way has arrived or given up. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.running);
  }

  /** A function, as the compiler takes a field that it saw false in a loop's head to stay so. */
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
    const outcome = await answerOf({ agent, port, path: `/${link.code}`, headers });
    if (outcome === 302) {
      tally.answered++;
      this.longest = Math.max(this.longest, performance.now() - sentAt);
    } else if (outcome === 'ECONNREFUSED') {
      await delay(20);
    } else {
      // An answer that is no redirect has not been counted.
      if (typeof outcome === 'string') tally.unanswered++;
      this.failures.push(`${link.code} after ${Math.round(performance.now() - sentAt)} ms: ${outcome}`);
    }
  }
}

/** The status of an answer that arrived whole, or what went wrong. */
function answerOf(request: {
  agent: Agent;
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
    const sent = get({ ...request, host: '127.0.0.1' }, answered);
    sent.on('error', failed);
    sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error('no answer')));
  });
}
