import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../access/access.decorator';
import { App, type AppCaller } from '../../../access/caller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
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
import { SessionsService } from '../sessions.service';
import type { SessionResponse } from '../sessions.dto';

const RANGE = "Covers the last 30 days by default, at most 366, in the organization's time zone.";

@ApiTags('Cross-platform: statistics')
@Controller('api/v1/cross-platform/stats')
export class SessionStatisticsController {
  constructor(
    private readonly statistics: SessionStatisticsService,
    private readonly sessions: SessionsService,
  ) {}

  @Get('summary')
  @Access({ key: 'app', publishable: 'no', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'getJourneySummary',
    summary: 'Get sessions, users, events, conversions',
    description: `The totals of the app. ${RANGE}`,
    response: { type: JourneySummary, description: 'The totals' },
  })
  summary(@App() app: AppCaller, @Query() query: SessionStatisticsRequest): Promise<JourneySummary> {
    return this.statistics.summary(app, query);
  }

  @Get('daily')
  @Access({ key: 'app', publishable: 'no', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'getJourneyDays',
    summary: 'List sessions, users, events, conversions by day',
    description: `Every day of the range. ${RANGE}`,
    response: { type: JourneyDaily, description: 'The days' },
  })
  daily(@App() app: AppCaller, @Query() query: SessionStatisticsRequest): Promise<JourneyDaily> {
    return this.statistics.daily(app, query);
  }

  @Get('sessions/summary')
  @Access({ key: 'app', publishable: 'no', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'getSessionSummary',
    summary: 'Get sessions of new and returning users',
    description: `Users are identified by externalUserId. ${RANGE}`,
    response: { type: SessionSummary, description: 'The totals' },
  })
  sessionSummary(@App() app: AppCaller, @Query() query: SessionStatisticsRequest): Promise<SessionSummary> {
    return this.statistics.sessionSummary(app, query);
  }

  @Get('sessions/by-platform')
  @Access({ key: 'app', publishable: 'no', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'getSessionsByPlatform',
    summary: 'List sessions and conversions by platform',
    description: `By the platform on which a session started. ${RANGE}`,
    response: { type: SessionsByPlatform, description: 'Platforms, most sessions first' },
  })
  byPlatform(@App() app: AppCaller, @Query() query: SessionStatisticsRequest): Promise<SessionsByPlatform> {
    return this.statistics.byPlatform(app, query);
  }

  @Get('sessions/by-utm-source')
  @Access({ key: 'app', publishable: 'no', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'getSessionsByUtmSource',
    summary: 'List sessions and conversions by utm_source',
    description: `Sessions without one count under null. ${RANGE}`,
    response: { type: SessionsByUtmSource, description: 'Sources, most sessions first' },
  })
  byUtmSource(@App() app: AppCaller, @Query() query: SessionStatisticsRequest): Promise<SessionsByUtmSource> {
    return this.statistics.byUtmSource(app, query);
  }

  @Get('sessions/list')
  @Access({ key: 'app', publishable: 'no', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'listSessions',
    summary: 'List sessions',
    description: `Sessions that started in the range, newest first. ${RANGE}`,
    response: { type: SessionPage, description: 'A page of sessions' },
  })
  list(@App() app: AppCaller, @Query() query: ListSessionsQuery): Promise<Page<SessionResponse>> {
    return this.sessions.list(app, query);
  }

  @Get('transitions/summary')
  @Access({ key: 'app', publishable: 'no', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'getTransitionSummary',
    summary: 'List platform transitions by path',
    description: `Transitions reported with \`session/transition\`. ${RANGE}`,
    response: { type: TransitionSummary, description: 'Paths, most transitions first' },
  })
  transitionSummary(
    @App() app: AppCaller,
    @Query() query: SessionStatisticsRequest,
  ): Promise<TransitionSummary> {
    return this.statistics.transitionSummary(app, query);
  }

  @Get('transitions/trend')
  @Access({ key: 'app', publishable: 'no', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'getTransitionTrend',
    summary: 'List platform transitions by day',
    description: `Every day of the range. ${RANGE}`,
    response: { type: TransitionTrend, description: 'The days' },
  })
  transitionTrend(@App() app: AppCaller, @Query() query: SessionStatisticsRequest): Promise<TransitionTrend> {
    return this.statistics.transitionTrend(app, query);
  }

  @Get('dashboard')
  @Access({ key: 'app', publishable: 'no', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'getJourneyDashboard',
    summary: 'Get the dashboard',
    description: `The other statistics in one response, and the ten most frequent types of events. ${RANGE}`,
    response: { type: JourneyDashboard, description: 'The dashboard' },
  })
  dashboard(@App() app: AppCaller, @Query() query: SessionStatisticsRequest): Promise<JourneyDashboard> {
    return this.statistics.dashboard(app, query);
  }
}
