import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiEndpoint } from '../../common/http/api-endpoint';
import { Public } from '../access.decorator';
import { type Client, From } from './client';
import { LoginRequest, LoginResponse } from './login.dto';
import { LoginService } from './login.service';
import { PasswordLoginGuard } from './password-login.guard';

@ApiTags('Console: login')
@Controller('api/v1/console/login')
export class LoginConsoleController {
  constructor(private readonly logins: LoginService) {}

  @Post()
  @Public('issues console tokens')
  @UseGuards(PasswordLoginGuard)
  @ApiEndpoint({
    operationId: 'login',
    summary: 'Log in to the console',
    description:
      'Returns a console token that is valid for 12 hours, for programs; browsers use `signIn`. 10 failures ' +
      'within 15 minutes lock the user name for 15 minutes; 50 failures from one network within 15 minutes ' +
      'lock that network until those 15 minutes are over (429 with Retry-After). Too many passwords at once, ' +
      'more than eleven of one network or user name for example, are 429 with Retry-After: 1. With PASSWORD_LOGIN=false, it is PASSWORD_LOGIN_DISABLED.',
    response: { type: LoginResponse, description: 'The token' },
    errors: ['RATE_LIMITED', 'CREDENTIALS_INVALID', 'PASSWORD_LOGIN_DISABLED'],
  })
  login(@Body() body: LoginRequest, @From() from: Client): Promise<LoginResponse> {
    return this.logins.login(body, from);
  }
}
