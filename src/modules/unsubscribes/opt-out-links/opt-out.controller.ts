import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../../access/access.decorator';
import type { ApiRequest } from '../../../common/http/api-request';
import { Bodies } from '../../../common/http/body-rules';
import { VisitorPages } from '../../pages/visitor-pages';
import { type OptOutAnswer, OptOutAnswers } from './opt-out-answers';
import { OptOutErrors } from './opt-out-errors';
import { readOptOutForm } from './opt-out-form';

/**
 * The pages of opt-out links, on the short domain. GET changes nothing, because link scanners must not opt anybody out.
 */
@ApiExcludeController()
@UseFilters(OptOutErrors)
@Controller('u/:token')
@Public('opt-out links: the token identifies the person, or the page asks for the number')
export class OptOutController {
  constructor(
    private readonly answers: OptOutAnswers,
    private readonly pages: VisitorPages,
  ) {}

  @Get()
  async show(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    await this.send(response, await this.answers.show(request));
  }

  @Post()
  @Bodies({ readLater: true })
  async submit(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const read = () => readOptOutForm(request, response);
    await this.send(response, await this.answers.submit(request, read));
  }

  private send(response: Response, { page, organizationId }: OptOutAnswer): Promise<void> {
    return this.pages.send(response, page, organizationId);
  }
}
