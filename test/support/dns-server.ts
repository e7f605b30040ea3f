import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { Packet } from 'dns2';
import { perSuite } from './test-app';

interface Question {
  name: string;
  type: number;
}

interface Query {
  questions: Question[];
}

export interface DnsAnswer {
  header: { id: number; rcode: number; tc: number };
  answers: (Question & { class: number; ttl: number; domain?: string; address?: string })[];
  toBuffer(): Buffer;
}

/** Corrects the types of the package. */
const packets = Packet as unknown as {
  parse(message: Buffer): Query;
  createResponseFromRequest(query: Query): DnsAnswer;
};

/** Handles a query: edits the response, or sends something else or nothing. */
export type Reply = (
  answer: DnsAnswer,
  question: Question,
) => Buffer | 'silence' | undefined | Promise<undefined>;

/** A real name server on loopback, with responses defined by tests; other names do not exist. */
export class DnsServer {
  /** Queries received, as name in lower case and type: `_waypost.a.test CNAME`. */
  readonly questions: string[] = [];
  private readonly replies = new Map<string, Reply>();

  private constructor(private readonly socket: Socket) {
    socket.on('message', (message, from) => void this.answer(message, from));
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsServer(socket);
  }

  /** Address in the format of DNS_SERVERS. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  /** Sets the reply for a name, or with `*` for all other names. */
  reply(name: string, reply: Reply): void {
    this.replies.set(name.toLowerCase(), reply);
  }

  cname(name: string, target: string): void {
    this.reply(name, (answer, question) => {
      answer.answers.push({ ...inClass(question.name, Packet.TYPE.CNAME), domain: target });
      return undefined;
    });
  }

  /** Sets the IPv4 and IPv6 addresses of a name. */
  addresses(name: string, ...addresses: string[]): void {
    this.reply(name, (answer, question) => {
      for (const address of addresses) {
        const type = address.includes(':') ? Packet.TYPE.AAAA : Packet.TYPE.A;
        if (type === question.type) answer.answers.push({ ...inClass(question.name, type), address });
      }
      return undefined;
    });
  }

  /** Sets an error code: 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED. */
  fails(name: string, rcode: number): void {
    this.reply(name, (answer) => {
      answer.header.rcode = rcode;
      return undefined;
    });
  }

  /** Removes the name. */
  forget(name: string): void {
    this.replies.delete(name.toLowerCase());
  }

  async close(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private async answer(message: Buffer, from: RemoteInfo): Promise<void> {
    const query = packets.parse(message);
    const [question] = query.questions;
    if (!question) return;
    this.questions.push(`${question.name.toLowerCase()} ${typeName(question.type)}`);
    const answer = packets.createResponseFromRequest(query);
    const reply = this.replies.get(question.name.toLowerCase()) ?? this.replies.get('*');
    if (!reply) answer.header.rcode = 3;
    const sent = (await reply?.(answer, question)) ?? answer.toBuffer();
    if (sent instanceof Buffer) this.socket.send(sent, from.port, from.address);
  }
}

export function inClass(name: string, type: number) {
  return { name, type, class: Packet.CLASS.IN, ttl: 60 };
}

function typeName(type: number): string {
  return Object.entries(Packet.TYPE).find(([, value]) => value === type)?.[0] ?? String(type);
}

/** The name server of a suite, there from before its tests until after them. */
export function useDnsServer(): DnsServer {
  const dns = perSuite(() => DnsServer.start());
  afterAll(() => dns.close());
  return dns;
}
