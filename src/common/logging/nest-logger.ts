import type { LoggerService } from '@nestjs/common';
import type { Level, Logger } from 'pino';

/** Contexts of Nest that log every module and route at each start. */
const CHATTER = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/** Routes Nest's logs and `new Logger('Name')` through pino, so that all lines have one format. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write(CHATTER.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest passes `message, ...details, context`; only an Error or a stack is useful among the details. */
  private write(level: Level, message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    const err = [message, ...rest].find((part) => part instanceof Error);
    const stack = rest.find((part) => typeof part === 'string' && part.includes('\n    at '));
    this.logger[level](
      {
        ...(typeof context === 'string' && context !== stack && { context }),
        ...(err && { err }),
        ...(stack !== undefined && { stack }),
      },
      message instanceof Error ? message.name : String(message),
    );
  }
}
