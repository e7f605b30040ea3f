import { ApiProperty } from '@nestjs/swagger';
import { ClickResponse } from '../click-statistics/click-log/click-log.dto';
import { INSTALL_PLATFORMS, SESSION_PLATFORMS, type Stage } from '../sessions/funnel';
import { ListedSession, STAGE_CODES } from './sessions.dto';

/** Kinds of entries of a path, in the order of those of the same second. */
export const PATH_KINDS = ['CLICK', 'START', 'TRANSITION', 'STAGE', 'INSTALL', 'EVENT', 'GOAL'] as const;
export type PathKind = (typeof PATH_KINDS)[number];

const known = (description: string, example: string | null) =>
  ApiProperty({ type: String, nullable: true, description, example });
const platform = (description: string, example: string | null) =>
  ApiProperty({ enum: SESSION_PLATFORMS, nullable: true, description, example });

class ReachedStage {
  @ApiProperty({ enum: STAGE_CODES, description: 'The stage', example: 'APP_OPENED' })
  stage!: Stage;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it was reached; null if that was before the service stored the time',
    example: '2026-11-20T08:33:10Z',
  })
  reachedAt!: string | null;
}

export class SessionInstall {
  @ApiProperty({ enum: INSTALL_PLATFORMS, description: 'Platform of the app', example: 'iOS' })
  platform!: string;

  @known('Country of the first start, ISO 3166-1 alpha-2', 'KR')
  country!: string | null;

  @known('Version of the operating system', '19.1')
  osVersion!: string | null;

  @known('Model of the device', 'iPhone18,1')
  deviceModel!: string | null;

  @ApiProperty({ format: 'date-time', description: 'First start', example: '2026-11-20T08:33:10Z' })
  installedAt!: string;
}

/** Something that happened in a session. Fields of other kinds are null. */
export class PathEntry {
  @ApiProperty({
    enum: PATH_KINDS,
    description:
      'CLICK: the click that began the session; START: the session began; TRANSITION: it moved to another platform; ' +
      'STAGE: a stage was reached for the first time; INSTALL: the app was installed; EVENT and GOAL: as reported',
    example: 'GOAL',
  })
  kind!: PathKind;

  @ApiProperty({ format: 'date-time', description: 'When', example: '2026-11-20T08:40:12Z' })
  at!: string;

  @ApiProperty({ enum: STAGE_CODES, nullable: true, description: 'STAGE: the stage', example: null })
  stage!: Stage | null;

  @platform('START and GOAL: the platform; TRANSITION: the new platform', 'IOS')
  platform!: string | null;

  @platform('TRANSITION: the platform before', null)
  fromPlatform!: string | null;

  @known('EVENT: its type', null)
  eventType!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'EVENT: its properties, without `amount` for users without access to revenue',
    example: null,
  })
  eventData!: Record<string, unknown> | null;

  @known('GOAL: its type', 'purchase')
  goalType!: string | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'GOAL: its value; null without access to revenue',
    example: 42.5,
  })
  value!: number | null;

  @known('GOAL: the currency of the value, ISO 4217', 'KRW')
  currency!: string | null;

  @known('GOAL: your id of the transaction', 'order-1001')
  transactionId!: string | null;
}

/** A session with everything that happened in it. */
export class SessionPathResponse extends ListedSession {
  @known('Type of goals that name none, if the session has one of its own', 'purchase')
  goalType!: string | null;

  @known('`customId` of the campaign address', 'customer-42')
  customId!: string | null;

  @known('Time zone of the client', 'Asia/Seoul')
  clientTimezone!: string | null;

  @ApiProperty({ type: [ReachedStage], description: 'The reached stages, in the order of the funnel' })
  reachedStages!: ReachedStage[];

  @ApiProperty({
    type: ClickResponse,
    nullable: true,
    description: 'The click that began the session; null if none did, or it is no longer kept',
  })
  click!: ClickResponse | null;

  @ApiProperty({ type: SessionInstall, nullable: true, description: 'The install; null if there was none' })
  install!: SessionInstall | null;

  @ApiProperty({ type: [PathEntry], description: 'What happened, oldest first' })
  path!: PathEntry[];

  @ApiProperty({ description: 'Whether more happened than the path shows', example: false })
  truncated!: boolean;
}
