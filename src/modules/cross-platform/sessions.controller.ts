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
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly funnel: FunnelService,
    private readonly transitions: TransitionsService,
  ) {}

  @Post('create')
  @Access({ key: 'app', publishable: 'yes', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'createSession',
    summary: 'Create a session',
    description:
      "Starts one person's session across site and app. A repeated call with the same sessionId updates that session; the " +
      'token of a page that opened the app continues the session of the click.',
    response: { status: 201, type: SessionResponse, description: 'The session' },
    errors: ['NOT_FOUND'],
  })
  create(@App() app: AppCaller, @Body() body: CreateSessionRequest): Promise<SessionResponse> {
    return this.sessions.create(app, body);
  }

  @Post('register-link')
  @Access({ key: 'app', publishable: 'yes', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'registerSessionLink',
    summary: 'Attribute a session to a link',
    description: 'All stages and goals of the session, past and future, count for that link or campaign.',
    response: { type: RegisterLinkResponse, description: 'The link or campaign, and its goal type' },
    errors: ['NOT_FOUND'],
  })
  @ApiBodyExample({ sessionId: SESSION_ID.example, urlId: 1 })
  registerLink(@App() app: AppCaller, @Body() body: RegisterLinkRequest): Promise<RegisterLinkResponse> {
    return this.sessions.registerLink(app, body);
  }

  @Post('funnel/track')
  @Access({ key: 'app', publishable: 'yes', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'trackFunnel',
    summary: 'Record a stage or goal',
    description:
      'Each stage counts once, in any order; an unknown sessionId starts a session. Goals are login, purchase or any ' +
      "name of your own; login, purchase, app_open and app_install are recorded in the member's activity as well.",
    response: { type: TrackFunnelResponse, description: 'The result' },
    errors: ['NOT_FOUND'],
  })
  @ApiBodyExample({ sessionId: SESSION_ID.example, goalType: 'signup' })
  track(@App() app: AppCaller, @Body() body: TrackFunnelRequest): Promise<TrackFunnelResponse> {
    return this.funnel.track(app, body);
  }

  @Post('transition')
  @Access({ key: 'app', publishable: 'yes', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'moveSession',
    summary: 'Move a session to another platform',
    description:
      'For example from the site to the app. A repeated call counts once, with the same response; 400 when the session ' +
      'started on that platform and never left it.',
    response: { type: MadeTransitionResponse, description: 'The transition' },
    errors: ['NOT_FOUND'],
  })
  move(@App() app: AppCaller, @Body() body: TransitionRequest): Promise<MadeTransitionResponse> {
    return this.transitions.move(app, body);
  }

  @Get(':sessionId')
  @Access({ key: 'app', publishable: 'own', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'getSession',
    summary: 'Get a session',
    description: 'The current state of the session. Sessions of other apps are not found.',
    response: { type: SessionResponse, description: 'The session' },
  })
  get(@App() app: AppCaller, @Param() path: SessionPath): Promise<SessionResponse> {
    return this.sessions.get(app, path.sessionId);
  }

  @Post(':sessionId/link-user')
  @Access({ key: 'app', publishable: 'identity', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'linkSessionUser',
    summary: 'Link a session to a user',
    description: 'A later call with another member replaces the previous one.',
    response: { type: LinkUserResponse, description: 'Saved' },
  })
  linkUser(
    @App() app: AppCaller,
    @Param() path: SessionPath,
    @Body() body: LinkUserRequest,
  ): Promise<LinkUserResponse> {
    return this.sessions.linkUser(app, path.sessionId, body.externalUserId);
  }

  @Get(':sessionId/transitions')
  @Access({ key: 'app', publishable: 'own', addOn: 'USER_JOURNEY' })
  @ApiEndpoint({
    operationId: 'listSessionTransitions',
    summary: "List a session's platform transitions",
    description: 'Oldest first.',
    response: { type: [TransitionResponse], description: 'The transitions, not paged' },
  })
  listTransitions(@App() app: AppCaller, @Param() path: SessionPath): Promise<TransitionResponse[]> {
    return this.transitions.list(app, path.sessionId);
  }
}
