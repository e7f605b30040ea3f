import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../access/caller';
import { storedDevice } from '../sessions/stored-device';
import { sessionIdOf } from '../sessions/session-ids';
import { SessionStore } from '../sessions/session-store';
import { SessionTransitions } from '../sessions/session-transitions';
import { presentTransition } from '../sessions/transition';
import type { MadeTransitionResponse, TransitionRequest, TransitionResponse } from './sessions.dto';

/** Changes of platform, with session ids as clients use them. */
@Injectable()
export class TransitionsService {
  constructor(
    private readonly sessions: SessionStore,
    private readonly transitions: SessionTransitions,
  ) {}

  /** @throws NotFound, ValidationFailed */
  async move(app: AppCaller, request: TransitionRequest): Promise<MadeTransitionResponse> {
    const { sessionId: name, toPlatform, deviceInfo } = request;
    const id = sessionIdOf(app.appId, name);
    const transition = await this.sessions.transact(app, id, (tx) =>
      this.transitions.move(tx, app, id, toPlatform, deviceInfo ? storedDevice(deviceInfo) : null),
    );
    return { success: true, ...presentTransition(transition), sessionId: name };
  }

  /** @throws NotFound */
  async list(app: AppCaller, name: string): Promise<TransitionResponse[]> {
    const transitions = await this.transitions.list(app, sessionIdOf(app.appId, name));
    return transitions.map((transition) => ({ ...presentTransition(transition), sessionId: name }));
  }
}
