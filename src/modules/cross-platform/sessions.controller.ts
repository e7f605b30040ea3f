import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { App, type AppCaller } from '../../access/caller';
import { ApiBodyExample } from '../../common/http/api-body-content';
import { ApiFailures } from '../../common/errors/api-failures';
import { TrackFunnelRequest, TrackFunnelResponse } from './funnel.dto';
import { FunnelService } from './funnel.service';
import {
  SESSION_ID,
  CreateSessionRequest,
  LinkUserRequest,
  LinkUserResponse,
  MadeTransitionResponse,
  RegisterLinkRequest,
  RegisterLinkResponse,
  SessionPath,
  SessionResponse,
  TransitionRequest,
  TransitionResponse,
} from './sessions.dto';
import { SessionsService } from './sessions.service';
import { TransitionsService } from './transitions.service';

@ApiTags('Cross-platform: sessions')
@Controller('api/v1/cross-platform/session')
@Access({ key: 'app', addOn: 'USER_JOURNEY' })
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly funnel: FunnelService,
    private readonly transitions: TransitionsService,
  ) {}

  @Post('create')
  @ApiOperation({
    operationId: 'createSession',
    summary: 'Create a session',
    description:
      "One person's way through site and app. Repeated with the same sessionId, it is the same session, which learns " +
      'what is new; with the token of a page that opened the app, it is the session that the click has begun.',
  })
  @ApiCreatedResponse({ type: SessionResponse, description: 'The session' })
  @ApiFailures(400, 404)
  create(@App() app: AppCaller, @Body() body: CreateSessionRequest): Promise<SessionResponse> {
    return this.sessions.create(app, body);
  }

  @Post('register-link')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'registerSessionLink',
    summary: 'Attribute a session to a link',
    description: 'What the session has reached and will reach counts for that link or campaign.',
  })
  @ApiBodyExample({ sessionId: SESSION_ID.example, urlId: 1 })
  @ApiOkResponse({
    type: RegisterLinkResponse,
    description: 'What it is, and the goal type that goes with it',
  })
  @ApiFailures(400, 404)
  registerLink(@App() app: AppCaller, @Body() body: RegisterLinkRequest): Promise<RegisterLinkResponse> {
    return this.sessions.registerLink(app, body);
  }

  @Post('funnel/track')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'trackFunnel',
    summary: 'Record a stage or goal',
    description:
      'Each stage once, in any order; an unknown sessionId begins a session. Goals are login, purchase, or any word of ' +
      "your own; login, purchase, app_open and app_install are kept as the member's activity too.",
  })
  @ApiBodyExample({ sessionId: SESSION_ID.example, goalType: 'signup' })
  @ApiOkResponse({ type: TrackFunnelResponse, description: 'What was recorded' })
  @ApiFailures(400, 404)
  track(@App() app: AppCaller, @Body() body: TrackFunnelRequest): Promise<TrackFunnelResponse> {
    return this.funnel.track(app, body);
  }

  @Post('transition')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'moveSession',
    summary: 'Move a session to another platform',
    description:
      'From the site to the app, say. A call that is repeated counts once, and hears the same; 400 where the session ' +
      'began on that platform and never left it.',
  })
  @ApiOkResponse({ type: MadeTransitionResponse, description: 'The transition' })
  @ApiFailures(400, 404)
  move(@App() app: AppCaller, @Body() body: TransitionRequest): Promise<MadeTransitionResponse> {
    return this.transitions.move(app, body);
  }

  @Get(':sessionId')
  @ApiOperation({
    operationId: 'getSession',
    summary: 'Get a session',
    description: 'As it is now. The session of another app is not found.',
  })
  @ApiOkResponse({ type: SessionResponse, description: 'The session' })
  @ApiFailures(400, 404)
  get(@App() app: AppCaller, @Param() path: SessionPath): Promise<SessionResponse> {
    return this.sessions.get(app, path.sessionId);
  }

  @Post(':sessionId/link-user')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'linkSessionUser',
    summary: 'Link a session to a user',
    description: 'A later call with another member replaces the one before.',
  })
  @ApiOkResponse({ type: LinkUserResponse, description: 'Kept' })
  @ApiFailures(400, 404)
  linkUser(
    @App() app: AppCaller,
    @Param() path: SessionPath,
    @Body() body: LinkUserRequest,
  ): Promise<LinkUserResponse> {
    return this.sessions.linkUser(app, path.sessionId, body.externalUserId);
  }

  @Get(':sessionId/transitions')
  @ApiOperation({
    operationId: 'listSessionTransitions',
    summary: "List a session's platform transitions",
    description: 'The first one first.',
  })
  @ApiOkResponse({ type: [TransitionResponse], description: 'The transitions, not paged' })
  @ApiFailures(400, 404)
  listTransitions(@App() app: AppCaller, @Param() path: SessionPath): Promise<TransitionResponse[]> {
    return this.transitions.list(app, path.sessionId);
  }
}
