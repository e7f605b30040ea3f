import { Injectable } from '@nestjs/common';
import { OutgoingClient } from '../../../common/outgoing/outgoing-client';
import type { CustomDomain } from '../custom-domain.entity';

/** Path on a custom domain that returns its activation token. */
export const ACTIVATION_PATH = '/.well-known/waypost-domain';
const TIMEOUT_MS = 4_000;

/** Tests whether a domain reaches this service, by a token that only this service knows. */
@Injectable()
export class ActivationProbe {
  constructor(private readonly outgoing: OutgoingClient) {}

  /** Tries https and http, because a TLS proxy may have no certificate yet. */
  async leadsHere(domain: Pick<CustomDomain, 'domainName' | 'activationToken'>): Promise<boolean> {
    const answers = await Promise.all(['https', 'http'].map((scheme) => this.ask(scheme, domain.domainName)));
    return answers.includes(domain.activationToken);
  }

  private async ask(scheme: string, host: string): Promise<string | null> {
    const answer = await this.outgoing.request({
      url: `${scheme}://${host}${ACTIVATION_PATH}`,
      timeoutMs: TIMEOUT_MS,
      maxBytes: 256,
    });
    return answer.ok && answer.status === 200 ? answer.body.toString('utf8').trim() : null;
  }
}
