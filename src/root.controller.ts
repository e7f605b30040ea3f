import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiEndpoint } from './common/http/api-endpoint';
import { Public } from './access/access.decorator';
import type { Config } from './config/config';
import { CONFIG } from './config/config.module';

const at = (what: string, path: string) =>
  ApiProperty({ format: 'uri', description: what, example: `https://api.example.com${path}` });

export class ServiceResponse {
  @ApiProperty({ description: 'Always `Waypost`', example: 'Waypost' })
  name!: string;

  @at('Page to browse and try the API', '/api/docs')
  docs!: string;

  @at('OpenAPI document', '/api/openapi.json')
  openapi!: string;

  @at('Check readiness', '/health/ready')
  health!: string;
}

/** The root of the API's host. */
@ApiTags('Operations')
@Controller()
@Public('links to the documentation')
export class RootController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get()
  @ApiEndpoint({
    operationId: 'getService',
    summary: 'Get links to the documentation',
    description:
      'JSON, or a page for browsers, also at `/api`. If the API and short links share a host, `/` ' +
      'belongs to the short links.',
    response: { type: ServiceResponse, description: 'The service' },
  })
  root(@Req() request: Request, @Res({ passthrough: true }) response: Response): ServiceResponse | string {
    const { baseUrl } = this.config;
    const service: ServiceResponse = {
      name: 'Waypost',
      docs: `${baseUrl}/api/docs`,
      openapi: `${baseUrl}/api/openapi.json`,
      health: `${baseUrl}/health/ready`,
    };
    response.vary('Accept');
    if (request.accepts(['json', 'html']) !== 'html') return service;
    response.type('html');
    return page(service);
  }

  @Get('api')
  @ApiExcludeEndpoint()
  api(@Req() request: Request, @Res({ passthrough: true }) response: Response): ServiceResponse | string {
    return this.root(request, response);
  }
}

/** The addresses are configured origins with fixed paths, so nothing needs escaping. */
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
