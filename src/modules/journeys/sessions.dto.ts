import { OmitType } from '@nestjs/swagger';
import { DATE_TIME_OR_NULL, NUMBER_OR_NULL, INT64, TEXT_OR_NULL, Field } from '../../common/http/api-field';
import { pageOf } from '../../common/pagination/page';
import { toDateTime } from '../../common/time/format';
import { OneOf, PathId, Text } from '../../common/validation/atoms';
import { ListSessionsQuery } from '../cross-platform/statistics/session-statistics.dto';
import { SessionResponse } from '../cross-platform/sessions.dto';
import { SESSION_PLATFORMS, type Stage, STAGES } from '../sessions/funnel';
import { type Session, stagesOf } from '../sessions/session';
import { presentSession } from '../sessions/session-presenter';
import type { SessionFigures } from './session-figures.query';

export const STAGE_CODES = STAGES.map(([stage]) => stage);
const SESSION_ID = '019a9f1e-6f0c-7c52-9d5e-3c1f0a2b4d6e';
const optional = true;

export class SessionPath {
  @Text({
    min: 36,
    max: 36,
    pattern: /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
    patternText: 'must be a UUID',
    description: '`sessionId` of a session in the list, else NOT_FOUND',
    example: SESSION_ID,
  })
  sessionId!: string;
}

export class OrganizationSessionsQuery extends ListSessionsQuery {
  @PathId({ description: 'Only sessions of this app', example: 1, optional })
  appId?: number | null;

  @OneOf(STAGE_CODES, {
    description: 'Only sessions that have reached this stage',
    example: 'APP_OPENED',
    optional,
  })
  stage?: Stage | null;

  @PathId({
    description: 'Only sessions that this link led to; VALIDATION_FAILED when combined with campaignId',
    example: 1,
    optional,
  })
  urlId?: number | null;

  @PathId({
    description: 'Only sessions that this campaign led to; VALIDATION_FAILED when combined with urlId',
    example: 1,
    optional,
  })
  campaignId?: number | null;
}

export class ListedSession extends OmitType(SessionResponse, ['sessionId', 'goalType']) {
  @Field('Id of the session in the console', SESSION_ID, { format: 'uuid' })
  sessionId!: string;

  @Field('Name of the app', 'Shop', TEXT_OR_NULL)
  appName!: string | null;

  @Field('Platform on which it began', 'WEB', { enum: SESSION_PLATFORMS })
  firstPlatform!: string;

  @Field('Title or code of the link, or name of the campaign, that led here', 'Spring sale', TEXT_OR_NULL)
  linkName!: string | null;

  @Field('The last of the reached stages in the order of the funnel', 'GOAL_COMPLETED', {
    enum: STAGE_CODES,
    nullable: true,
  })
  currentStage!: Stage | null;

  @Field('Number of goals', 2, INT64)
  goals!: number;

  @Field('Number of goals that are purchases', 1, INT64)
  purchases!: number;

  @Field(
    "Sum of the purchases in the organization's base currency; null without access to revenue",
    42.5,
    NUMBER_OR_NULL,
  )
  revenue!: number | null;

  @Field('Number of events', 3, INT64)
  events!: number;

  @Field('When the app was installed; null if it was not', '2026-11-20T08:33:10Z', DATE_TIME_OR_NULL)
  installedAt!: string | null;
}

export class ListedSessionPage extends pageOf(ListedSession, 'ListedSessionPage') {}

/** @param maySeeRevenue whether to show amounts of money */
export function toListedSession(
  session: Session,
  { appName, linkName, goals, purchases, revenue, installedAt }: SessionFigures,
  maySeeRevenue: boolean,
): Pick<ListedSession, keyof ListedSession> {
  const { goalType: _, ...presented } = presentSession(session);
  return {
    ...presented,
    appName,
    firstPlatform: session.firstPlatform,
    linkName,
    currentStage: stagesOf(session).at(-1) ?? null,
    goals,
    purchases,
    revenue: maySeeRevenue ? Number(revenue) : null,
    events: session.events,
    installedAt: toDateTime(installedAt),
  };
}
