import { ApiProperty, OmitType } from '@nestjs/swagger';
import { SessionResponse, TransitionResponse } from './sessions.dto';

class SessionTransition extends OmitType(TransitionResponse, ['sessionId']) {}

/** Webhook data of a session that continued on another platform. */
export class SessionTransitioned extends SessionResponse {
  @ApiProperty({ type: SessionTransition, description: 'The transition' })
  transition!: SessionTransition;
}
