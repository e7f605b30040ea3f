import { Body, Controller, Ip, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Public } from '../access.decorator';
import { normalizeIp } from '../client-ip';
import { LoginRequest, LoginResponse } from './login.dto';
import { LoginService } from './login.service';

@ApiTags('Console: login')
@Controller('api/v1/console/login')
export class LoginConsoleController {
  constructor(private readonly logins: LoginService) {}

  @Post()
  @Public('it is where a console token comes from')
  @ApiEndpoint({
    operationId: 'login',
    summary: 'Log in to the console',
    description:
      'Answers a console token that is good for 12 hours. 10 failures within 15 minutes lock the user name for 15 ' +
      'minutes, and 50 failures from one network lock that network until the 15 minutes since the first are over (429 ' +
      'with Retry-After). More logins at the same time than can be looked at are 429 with Retry-After: 1.',
    response: { type: LoginResponse, description: 'The token' },
    errors: ['RATE_LIMITED', 'CREDENTIALS_INVALID'],
  })
  login(@Body() body: LoginRequest, @Ip() ip: string): Promise<LoginResponse> {
    return this.logins.login(body, normalizeIp(ip));
  }
}
