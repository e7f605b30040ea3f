import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Field } from '../../../common/http/api-field';
import { Public } from '../../../access/access.decorator';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { NotFound } from '../../../common/errors/errors';
import { Text } from '../../../common/validation/atoms';
import { DomainCache } from '../domain-cache';

class TlsCheckQuery {
  @Text({
    max: 253,
    description: 'Host name for the certificate; NOT_FOUND unless it is one of the service',
    example: 'links.example.com',
  })
  domain!: string;
}

class TlsCheckResponse {
  @Field('The host name, in lower case', 'links.example.com')
  domain!: string;
}

/** Requested by a TLS proxy before it obtains a certificate on demand (docs/concepts/domains.md#certificates). */
@ApiTags('Operations')
@Controller('internal/tls-check')
export class TlsCheckController {
  constructor(private readonly domains: DomainCache) {}

  @Get()
  @Public('asked by the TLS proxy; reveals no more than a visit of the domain')
  @ApiEndpoint({
    operationId: 'checkTlsDomain',
    summary: 'Check whether a domain may get a certificate',
    description:
      '200 for custom domains that are VERIFIED or ACTIVE; 404 for any other name, for a domain ' +
      'disabled by the platform, and for domains of a deleted organization.',
    response: { type: TlsCheckResponse, description: 'A certificate may be issued' },
    errors: ['NOT_FOUND'],
  })
  async check(@Query() query: TlsCheckQuery): Promise<TlsCheckResponse> {
    const domain = query.domain.toLowerCase().replace(/\.$/, '');
    const known = await this.domains.find(domain);
    if (!known || known.disabled) throw new NotFound('Domain');
    return { domain };
  }
}
