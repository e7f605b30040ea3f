import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../access/access.decorator';
import { App, type AppCaller } from '../../../access/caller';
import { ApiFailures } from '../../../common/errors/api-failures';
import {
  JourneyDaily,
  JourneyDashboard,
  SessionStatisticsRequest,
  JourneySummary,
  ListSessionsQuery,
  SessionPage,
  SessionsByPlatform,
  SessionsByUtmSource,
  SessionSummary,
  TransitionSummary,
  TransitionTrend,
} from './session-statistics.dto';
import type { Page } from '../../../common/pagination/page';
import { SessionStatisticsService } from './session-statistics.service';
import { ListedSessionsService } from '../listed-sessions.service';
import type { SessionResponse } from '../sessions.dto';

const RANGE =
  "Over the last 30 days unless `startDate` and `endDate` say otherwise, at most 366; days are those of the organization's time zone.";

@ApiTags('Cross-platform: statistics')
@Controller('api/v1/cross-platform/stats')
@Access({ key: 'app', addOn: 'USER_JOURNEY' })
export class SessionStatisticsController {
  constructor(
    private readonly statistics: SessionStatisticsService,
    private readonly listed: ListedSessionsService,
  ) {}

  @Get('summary')
  @ApiOperation({
    operationId: 'getJourneySummary',
    summary: 'Sessions, users, events, conversions',
    description: `The totals of the app. ${RANGE}`,
  })
  @ApiOkResponse({ type: JourneySummary, description: 'The totals' })
  @ApiFailures(400)
  summary(@App() app: AppCaller, @Query() query: SessionStatisticsRequest): Promise<JourneySummary> {
    return this.statistics.summary(app, query);
  }

  @Get('daily')
  @ApiOperation({
    operationId: 'getJourneyDays',
    summary: 'Sessions, users, events, conversions by day',
    description: `Every day of the range. ${RANGE}`,
  })
  @ApiOkResponse({ type: JourneyDaily, description: 'The days' })
  @ApiFailures(400)
  daily(@App() app: AppCaller, @Query() query: SessionStatisticsRequest): Promise<JourneyDaily> {
    return this.statistics.daily(app, query);
  }

  @Get('sessions/summary')
  @ApiOperation({
    operationId: 'getSessionSummary',
    summary: 'Sessions of new and returning users',
    description: `Users are known by externalUserId. ${RANGE}`,
  })
  @ApiOkResponse({ type: SessionSummary, description: 'The totals' })
  @ApiFailures(400)
  sessionSummary(@App() app: AppCaller, @Query() query: SessionStatisticsRequest): Promise<SessionSummary> {
    return this.statistics.sessionSummary(app, query);
  }

  @Get('sessions/by-platform')
  @ApiOperation({
    operationId: 'getSessionsByPlatform',
    summary: 'Sessions and conversions by platform',
    description: `By the platform on which a session began. ${RANGE}`,
  })
  @ApiOkResponse({ type: SessionsByPlatform, description: 'Platforms, most sessions first' })
  @ApiFailures(400)
  byPlatform(@App() app: AppCaller, @Query() query: SessionStatisticsRequest): Promise<SessionsByPlatform> {
    return this.statistics.byPlatform(app, query);
  }

  @Get('sessions/by-utm-source')
  @ApiOperation({
    operationId: 'getSessionsByUtmSource',
    summary: 'Sessions and conversions by utm_source',
    description: `Sessions without one are there as null. ${RANGE}`,
  })
  @ApiOkResponse({ type: SessionsByUtmSource, description: 'Sources, most sessions first' })
  @ApiFailures(400)
  byUtmSource(@App() app: AppCaller, @Query() query: SessionStatisticsRequest): Promise<SessionsByUtmSource> {
    return this.statistics.byUtmSource(app, query);
  }

  @Get('sessions/list')
  @ApiOperation({
    operationId: 'listSessions',
    summary: 'List sessions',
    description: `Those that began in the range, newest first. ${RANGE}`,
  })
  @ApiOkResponse({ type: SessionPage, description: 'A page of sessions' })
  @ApiFailures(400)
  list(@App() app: AppCaller, @Query() query: ListSessionsQuery): Promise<Page<SessionResponse>> {
    return this.listed.list(app, query);
  }

  @Get('transitions/summary')
  @ApiOperation({
    operationId: 'getTransitionSummary',
    summary: 'Platform transitions by path',
    description: `As \`session/transition\` reported them. ${RANGE}`,
  })
  @ApiOkResponse({ type: TransitionSummary, description: 'Paths, most transitions first' })
  @ApiFailures(400)
  transitionSummary(
    @App() app: AppCaller,
    @Query() query: SessionStatisticsRequest,
  ): Promise<TransitionSummary> {
    return this.statistics.transitionSummary(app, query);
  }

  @Get('transitions/trend')
  @ApiOperation({
    operationId: 'getTransitionTrend',
    summary: 'Platform transitions by day',
    description: `Every day of the range. ${RANGE}`,
  })
  @ApiOkResponse({ type: TransitionTrend, description: 'The days' })
  @ApiFailures(400)
  transitionTrend(@App() app: AppCaller, @Query() query: SessionStatisticsRequest): Promise<TransitionTrend> {
    return this.statistics.transitionTrend(app, query);
  }

  @Get('dashboard')
  @ApiOperation({
    operationId: 'getJourneyDashboard',
    summary: 'Get the dashboard',
    description: `What the other statistics say, and the ten types of events that came most. ${RANGE}`,
  })
  @ApiOkResponse({ type: JourneyDashboard, description: 'Everything' })
  @ApiFailures(400)
  dashboard(@App() app: AppCaller, @Query() query: SessionStatisticsRequest): Promise<JourneyDashboard> {
    return this.statistics.dashboard(app, query);
  }
}
