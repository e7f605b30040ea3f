import { ApiProperty } from '@nestjs/swagger';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { PathId } from '../../common/validation/atoms';
import { type ConsoleSession, SESSION_ORIGINS, type SessionOrigin } from './console-session.entity';

export class ConsoleSessionPath {
  @PathId({ description: 'Id of the session' })
  id!: number;
}

export class ConsoleSessionResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the session', example: 31 })
  id!: number;

  @ApiProperty({ description: 'Whether this call belongs to it', example: true })
  current!: boolean;

  @ApiProperty({ enum: SESSION_ORIGINS, description: 'How it was opened', example: 'PASSWORD' })
  openedBy!: SessionOrigin;

  @ApiProperty({ type: String, nullable: true, description: 'Browser that opened it', example: 'Firefox' })
  browser!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Operating system that opened it',
    example: 'Windows',
  })
  operatingSystem!: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was opened', example: '2026-11-20T08:32:00Z' })
  createdAt!: string;

  @ApiProperty({
    format: 'date-time',
    description: 'Last call, to the minute',
    example: '2026-11-20T09:10:00Z',
  })
  lastSeenAt!: string;

  @ApiProperty({ format: 'date-time', description: 'When it ends', example: '2026-11-20T20:32:00Z' })
  expiresAt!: string;
}

export class LogoutResponse {
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Address that ends the session at the identity provider as well, for the browser to go to; null for ' +
      'sessions opened otherwise, or if the provider has none',
    example: 'https://sso.example.com/logout?client_id=waypost',
  })
  signOutUrl!: string | null;
}

export class ConsoleSessionPage extends pageOf(ConsoleSessionResponse, 'ConsoleSessionPage') {}

/** @param currentId id of the caller's session */
export function toConsoleSessionResponse(session: ConsoleSession, currentId: number): ConsoleSessionResponse {
  const { id, openedBy, browser, operatingSystem, createdAt, lastSeenAt, expiresAt } = session;
  return {
    id,
    current: id === currentId,
    openedBy,
    browser,
    operatingSystem,
    createdAt: toDateTime(createdAt),
    lastSeenAt: toDateTime(lastSeenAt && lastSeenAt > createdAt ? lastSeenAt : createdAt),
    expiresAt: toDateTime(expiresAt),
  };
}
