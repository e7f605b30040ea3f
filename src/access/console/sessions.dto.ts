import { DATE_TIME, INT64, TEXT_OR_NULL, Field } from '../../common/http/api-field';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { PathId } from '../../common/validation/atoms';
import { type ConsoleSession, SESSION_ORIGINS, type SessionOrigin } from './console-session.entity';

export class ConsoleSessionPath {
  @PathId({ description: 'Id of the session' })
  id!: number;
}

export class ConsoleSessionResponse {
  @Field('Id of the session', 31, INT64)
  id!: number;

  @Field('Whether this call belongs to it', true)
  current!: boolean;

  @Field('How it was opened', 'PASSWORD', { enum: SESSION_ORIGINS })
  openedBy!: SessionOrigin;

  @Field('Browser that opened it', 'Firefox', TEXT_OR_NULL)
  browser!: string | null;

  @Field('Operating system that opened it', 'Windows', TEXT_OR_NULL)
  operatingSystem!: string | null;

  @Field('When it was opened', '2026-11-20T08:32:00Z', DATE_TIME)
  createdAt!: string;

  @Field('Last call, to the minute', '2026-11-20T09:10:00Z', DATE_TIME)
  lastSeenAt!: string;

  @Field('When it ends', '2026-11-20T20:32:00Z', DATE_TIME)
  expiresAt!: string;
}

export class LogoutResponse {
  @Field(
    'Address that ends the session at the identity provider as well, for the browser to go to; null for ' +
      'sessions opened otherwise, or if the provider has none',
    'https://sso.example.com/logout?client_id=waypost',
    TEXT_OR_NULL,
  )
  signOutUrl!: string | null;
}

export class ConsoleSessionPage extends pageOf(ConsoleSessionResponse, 'ConsoleSessionPage') {}

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
