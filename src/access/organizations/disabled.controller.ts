import { Body, Delete, Param, Put } from '@nestjs/common';
import { Access } from '../access.decorator';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Caller } from '../caller';
import { DisabledPath, DisabledResponse, DisableRequest } from './disabled.dto';

interface Texts {
  /** Suffix of the operation ids, such as `Link`. */
  operation: string;
  /** Such as `link`. */
  noun: string;
  /** What disabling one does. */
  effect: string;
}

interface Resources {
  /** @param reason null enables it again @throws NotFound */
  disable(caller: Caller, id: number, reason: string | null): Promise<unknown>;
}

/** Routes by which the platform disables and enables a kind of resource. Subclasses add the path and the service. */
export function disabledController({ operation, noun, effect }: Texts) {
  @Access({ key: 'console', role: 'PLATFORM' })
  abstract class DisabledController {
    abstract readonly resources: Resources;

    @Put()
    @ApiEndpoint({
      operationId: `disable${operation}`,
      summary: `Disable a ${noun}`,
      description: `${effect} Platform token only.`,
      response: { type: DisabledResponse, description: 'Disabled' },
    })
    async disable(
      @Caller() caller: Caller,
      @Param() { id }: DisabledPath,
      @Body() { reason }: DisableRequest,
    ): Promise<DisabledResponse> {
      await this.resources.disable(caller, id, reason);
      return { id, disabledReason: reason };
    }

    @Delete()
    @ApiEndpoint({
      operationId: `enable${operation}`,
      summary: `Enable a ${noun} again`,
      description: `Has no effect on a ${noun} that is not disabled. Platform token only.`,
      response: { description: 'Enabled' },
    })
    async enable(@Caller() caller: Caller, @Param() { id }: DisabledPath): Promise<void> {
      await this.resources.disable(caller, id, null);
    }
  }
  return DisabledController;
}
