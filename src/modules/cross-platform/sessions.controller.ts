import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../access/access.decorator';
import { App, type AppCaller } from '../../access/caller';
import { ApiBodyExample } from '../../common/http/api-body-content';
import { ApiEndpoint } from '../../common/http/api-endpoint';
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
  @ApiEndpoint({
    operationId: 'createSession',
    summary: 'Create a session',
    description:
      "One person's way through site and app. Repeated with the same sessionId, it is the same session, which learns " +
      'what is new; with the token of a page that opened the app, it is the session that the click has begun.',
    response: { status: 201, type: SessionResponse, description: 'The session' },
    errors: ['NOT_FOUND'],
  })
  create(@App() app: AppCaller, @Body() body: CreateSessionRequest): Promise<SessionResponse> {
    return this.sessions.create(app, body);
  }

  @Post('register-link')
  @ApiEndpoint({
    operationId: 'registerSessionLink',
    summary: 'Attribute a session to a link',
    description: 'What the session has reached and will reach counts for that link or campaign.',
    response: { type: RegisterLinkResponse, description: 'What it is, and the goal type that goes with it' },
    errors: ['NOT_FOUND'],
  })
  @ApiBodyExample({ sessionId: SESSION_ID.example, urlId: 1 })
  registerLink(@App() app: AppCaller, @Body() body: RegisterLinkRequest): Promise<RegisterLinkResponse> {
    return this.sessions.registerLink(app, body);
  }

  @Post('funnel/track')
  @ApiEndpoint({
    operationId: 'trackFunnel',
    summary: 'Record a stage or goal',
    description:
      'Each stage once, in any order; an unknown sessionId begins a session. Goals are login, purchase, or any word of ' +
      "your own; login, purchase, app_open and app_install are kept as the member's activity too.",
    response: { type: TrackFunnelResponse, description: 'What was recorded' },
    errors: ['NOT_FOUND'],
  })
  @ApiBodyExample({ sessionId: SESSION_ID.example, goalType: 'signup' })
  track(@App() app: AppCaller, @Body() body: TrackFunnelRequest): Promise<TrackFunnelResponse> {
    return this.funnel.track(app, body);
  }

  @Post('transition')
  @ApiEndpoint({
    operationId: 'moveSession',
    summary: 'Move a session to another platform',
    description:
      'From the site to the app, say. A call that is repeated counts once, and hears the same; 400 where the session ' +
      'began on that platform and never left it.',
    response: { type: MadeTransitionResponse, description: 'The transition' },
    errors: ['NOT_FOUND'],
  })
  move(@App() app: AppCaller, @Body() body: TransitionRequest): Promise<MadeTransitionResponse> {
    return this.transitions.move(app, body);
  }

  @Get(':sessionId')
  @ApiEndpoint({
    operationId: 'getSession',
    summary: 'Get a session',
    description: 'As it is now. The session of another app is not found.',
    response: { type: SessionResponse, description: 'The session' },
  })
  get(@App() app: AppCaller, @Param() path: SessionPath): Promise<SessionResponse> {
    return this.sessions.get(app, path.sessionId);
  }

  @Post(':sessionId/link-user')
  @ApiEndpoint({
    operationId: 'linkSessionUser',
    summary: 'Link a session to a user',
    description: 'A later call with another member replaces the one before.',
    response: { type: LinkUserResponse, description: 'Kept' },
  })
  linkUser(
    @App() app: AppCaller,
    @Param() path: SessionPath,
    @Body() body: LinkUserRequest,
  ): Promise<LinkUserResponse> {
    return this.sessions.linkUser(app, path.sessionId, body.externalUserId);
  }

  @Get(':sessionId/transitions')
  @ApiEndpoint({
    operationId: 'listSessionTransitions',
    summary: "List a session's platform transitions",
    description: 'The first one first.',
    response: { type: [TransitionResponse], description: 'The transitions, not paged' },
  })
  listTransitions(@App() app: AppCaller, @Param() path: SessionPath): Promise<TransitionResponse[]> {
    return this.transitions.list(app, path.sessionId);
  }
}
