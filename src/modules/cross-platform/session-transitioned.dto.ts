import { OmitType } from '@nestjs/swagger';
import { Field } from '../../common/http/api-field';
import { SessionResponse, TransitionResponse } from './sessions.dto';

class SessionTransition extends OmitType(TransitionResponse, ['sessionId']) {}

/** Webhook data of a session that continued on another platform. */
export class SessionTransitioned extends SessionResponse {
  @Field('The transition', undefined, { type: SessionTransition })
  transition!: SessionTransition;
}
