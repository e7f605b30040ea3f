import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Field } from '../common/http/api-field';
import { ApiEndpoint } from '../common/http/api-endpoint';
import { Public } from '../access/access.decorator';
import { Config } from '../config/config';

const at = (what: string, path: string) => Field(what, `https://api.example.com${path}`, { format: 'uri' });

export class ServiceResponse {
  @Field('Always `Waypost`', 'Waypost')
  name!: string;

  @at('Page to browse and try the API', '/api/docs')
  docs!: string;

  @at('OpenAPI document', '/api/openapi.json')
  openapi!: string;

  @at('Check readiness', '/health/ready')
  health!: string;
}

/** Content-Security-Policy: the page has inline style only. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

@ApiTags('Operations')
@Controller()
@Public('links to the documentation')
export class RootController {
  constructor(private readonly config: Config) {}

  @Get()
  @ApiEndpoint({
    operationId: 'getService',
    summary: 'Get links to the documentation',
    description:
      'JSON, also at `/api`; browsers are sent on to the console, and get a page at `/api`. If the API and short ' +
      'links share a host, `/` belongs to the short links.',
    response: { type: ServiceResponse, description: 'The service' },
  })
  root(@Req() request: Request, @Res() response: Response): void {
    if (acceptsHtml(request, response)) response.redirect(302, `${this.config.baseUrl}/console`);
    else response.json(this.service());
  }

  @Get('api')
  @ApiExcludeEndpoint()
  api(@Req() request: Request, @Res() response: Response): void {
    if (acceptsHtml(request, response))
      response.set('Content-Security-Policy', POLICY).type('html').send(page(this.service()));
    else response.json(this.service());
  }

  private service(): ServiceResponse {
    const { baseUrl } = this.config;
    return {
      name: 'Waypost',
      docs: `${baseUrl}/api/docs`,
      openapi: `${baseUrl}/api/openapi.json`,
      health: `${baseUrl}/health/ready`,
    };
  }
}

function acceptsHtml(request: Request, response: Response): boolean {
  response.vary('Accept');
  return request.accepts(['json', 'html']) === 'html';
}

/** Nothing needs escaping: URLs are configured origins with fixed paths. */
function page({ name, docs, openapi, health }: ServiceResponse): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${name}</title>
<style>body { font: 1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem }</style>
<h1>${name}</h1>
<ul>
<li><a href="${docs}">API documentation</a></li>
<li><a href="${openapi}">OpenAPI document</a></li>
<li><a href="${health}">Health</a></li>
</ul>
</html>
`;
}
