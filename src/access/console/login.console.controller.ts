import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiFailures } from '../../common/errors/api-failures';
import { Public } from '../access.decorator';
import { LoginRequest, LoginResponse } from './login.dto';
import { LoginService } from './login.service';

@ApiTags('Console: login')
@Controller('api/v1/console/login')
export class LoginConsoleController {
  constructor(private readonly logins: LoginService) {}

  @Post()
  @HttpCode(200)
  @Public('it is where a console token comes from')
  @ApiOperation({
    operationId: 'login',
    summary: 'Log in to the console',
    description:
      'Answers a console token that is good for 12 hours. 10 failures within 15 minutes lock the user name ' +
      'for 15 minutes (429 with Retry-After).',
  })
  @ApiOkResponse({ type: LoginResponse, description: 'The token' })
  @ApiFailures(400, 401, 429)
  login(@Body() body: LoginRequest): Promise<LoginResponse> {
    return this.logins.login(body);
  }
}
