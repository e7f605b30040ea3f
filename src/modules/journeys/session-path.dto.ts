import { ApiProperty } from '@nestjs/swagger';
import { DATE_TIME, DATE_TIME_OR_NULL, NUMBER_OR_NULL, Field } from '../../common/http/api-field';
import { ClickResponse } from '../click-statistics/click-log/click-log.dto';
import { INSTALL_PLATFORMS, SESSION_PLATFORMS, type Stage } from '../sessions/funnel';
import { ListedSession, STAGE_CODES } from './sessions.dto';

/** Kinds of entries, in the order of entries within the same second. */
export const PATH_KINDS = ['CLICK', 'START', 'TRANSITION', 'STAGE', 'INSTALL', 'EVENT', 'GOAL'] as const;
export type PathKind = (typeof PATH_KINDS)[number];

const known = (description: string, example: string | null) =>
  ApiProperty({ type: String, nullable: true, description, example });
const platform = (description: string, example: string | null) =>
  ApiProperty({ enum: SESSION_PLATFORMS, nullable: true, description, example });

class ReachedStage {
  @Field('The stage', 'APP_OPENED', { enum: STAGE_CODES })
  stage!: Stage;

  @Field(
    'When it was reached; null if that was before the service stored the time',
    '2026-11-20T08:33:10Z',
    DATE_TIME_OR_NULL,
  )
  reachedAt!: string | null;
}

export class SessionInstall {
  @Field('Platform of the app', 'iOS', { enum: INSTALL_PLATFORMS })
  platform!: string;

  @known('Country of the first start, ISO 3166-1 alpha-2', 'KR')
  country!: string | null;

  @known('Version of the operating system', '19.1')
  osVersion!: string | null;

  @known('Model of the device', 'iPhone18,1')
  deviceModel!: string | null;

  @Field('First start', '2026-11-20T08:33:10Z', DATE_TIME)
  installedAt!: string;
}

/** An event in the path of a session. Fields of other kinds are null. */
export class PathEntry {
  @Field(
    'CLICK: the click that began the session; START: the session began; TRANSITION: it moved to another platform; ' +
      'STAGE: a stage was reached for the first time; INSTALL: the app was installed; EVENT and GOAL: as reported',
    'GOAL',
    { enum: PATH_KINDS },
  )
  kind!: PathKind;

  @Field('When', '2026-11-20T08:40:12Z', DATE_TIME)
  at!: string;

  @Field('STAGE: the stage', null, { enum: STAGE_CODES, nullable: true })
  stage!: Stage | null;

  @platform('START and GOAL: the platform; TRANSITION: the new platform', 'IOS')
  platform!: string | null;

  @platform('TRANSITION: the platform before', null)
  fromPlatform!: string | null;

  @known('EVENT: its type', null)
  eventType!: string | null;

  @Field('EVENT: its properties, without `amount` for users without access to revenue', null, {
    type: 'object',
    additionalProperties: true,
    nullable: true,
  })
  eventData!: Record<string, unknown> | null;

  @known('GOAL: its type', 'purchase')
  goalType!: string | null;

  @Field('GOAL: its value; null without access to revenue', 42.5, NUMBER_OR_NULL)
  value!: number | null;

  @known('GOAL: the currency of the value, ISO 4217', 'KRW')
  currency!: string | null;

  @known('GOAL: your id of the transaction', 'order-1001')
  transactionId!: string | null;
}

export class SessionPathResponse extends ListedSession {
  @known('Type of goals that name none, if the session has one of its own', 'purchase')
  goalType!: string | null;

  @known('`customId` of the campaign address', 'customer-42')
  customId!: string | null;

  @known('Time zone of the client', 'Asia/Seoul')
  clientTimezone!: string | null;

  @Field('The reached stages, in the order of the funnel', undefined, { type: [ReachedStage] })
  reachedStages!: ReachedStage[];

  @Field('The click that began the session; null if none did, or it is no longer kept', undefined, {
    type: ClickResponse,
    nullable: true,
  })
  click!: ClickResponse | null;

  @Field('The install; null if there was none', undefined, { type: SessionInstall, nullable: true })
  install!: SessionInstall | null;

  @Field('What happened, oldest first', undefined, { type: [PathEntry] })
  path!: PathEntry[];

  @Field('Whether more happened than the path shows', false)
  truncated!: boolean;
}
