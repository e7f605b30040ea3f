import { connect } from 'node:net';
import { HOSTILE } from './hostile';
import type { Random } from './random';

const METHODS = ['HEAD', 'POST', 'OPTIONS', 'get', 'PROPFIND', '', 'GET\t'];
const VERSIONS = ['HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', '', 'http/1.1'];
const HEADERS = [
  'User-Agent',
  'Referer',
  'X-Forwarded-For',
  'X-Forwarded-Proto',
  'Accept-Language',
  'Accept',
  'Cookie',
  'Origin',
  'Range',
  'If-None-Match',
  'Upgrade',
  'Connection',
  'Content-Length',
  'Transfer-Encoding',
  'Expect',
  'traceparent',
];
const VALUES = [
  '1',
  '-1',
  'chunked',
  'upgrade',
  'keep-alive, close',
  '100-continue',
  '999.999.999.999',
  '::ffff:127.0.0.1, unknown, "',
  'de;q=2, *;q=x',
  'https://[::1',
  '00-00000000000000000000000000000000-0000000000000000-01',
  'a'.repeat(9_000),
];
const PARAMETERS = ['utm_source', 'customId', 'click_id', 'password', 'preview', '__proto__', ''];
const PIECES = [
  '/',
  '//',
  '/..',
  '/%2e%2e',
  '%',
  '%zz',
  '%00',
  '%ed%a0%80',
  '?',
  '#',
  '+',
  '/c/',
  '/static/',
  ';',
  '\\',
  ' ',
];

/** A request that no browser would send, for one of `codes` or something else. */
export function randomVisit(random: Random, host: string, codes: readonly string[]): Buffer {
  const of = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const bytes = () =>
    Buffer.from(Array.from({ length: random() * 20 }, () => Math.floor(random() * 256))).toString('latin1');
  const piece = () => of([() => of(PIECES), bytes, () => of(HOSTILE), () => of(codes)])();
  const mostly = (usual: string, others: readonly string[]) => (random() < 0.85 ? usual : of(others));
  const many = <T>(count: number, make: () => T) => Array.from({ length: random() * count }, make);
  const path = random() < 0.5 ? `/${of(codes)}` : `/${many(6, piece).join('')}`;
  const query = many(4, () => `${random() < 0.7 ? of(PARAMETERS) : bytes()}=${piece()}`).join('&');
  const headers = many(
    6,
    () => `${random() < 0.9 ? of(HEADERS) : bytes()}: ${random() < 0.5 ? of(VALUES) : bytes()}`,
  );
  const lines = [
    `${mostly('GET', METHODS)} ${path}${query && '?'}${query} ${mostly('HTTP/1.1', VERSIONS)}`,
    `Host: ${random() < 0.9 ? host : piece()}`,
    ...headers,
  ];
  const whole = Buffer.from(`${lines.join(random() < 0.95 ? '\r\n' : '\n')}\r\n\r\n`, 'latin1');
  return random() < 0.95 ? whole : whole.subarray(0, Math.floor(random() * whole.length));
}

/**
 * Sends bytes on a new connection, and closes it. @returns the status of the first response, or 0 if there is none
 * within a second
 */
export function statusOf(port: number, bytes: Buffer): Promise<number> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    const done = () => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0));
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (text.length >= 12) done();
    });
    socket.on('error', done);
    socket.on('close', done);
    socket.setTimeout(1_000, done);
  });
}
