import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import { parseDateTime } from '../../../common/time/parse';
import { CampaignsRepository } from '../../campaigns/campaigns.repository';
import { agentOf, UNKNOWN } from '../../clicks/visitor-facts';
import { DomainsService } from '../../domains/domains.service';
import { LinksRepository } from '../../links/links.repository';
import type { TracedAnswer } from '../decision';
import { Decisions } from '../decisions';
import { Hosts, type ShortDomain } from '../hosts';
import { observedOf } from '../observation/answer';
import { type DomainRequest, parseShortPath, type RequestHead, splitPath } from '../redirect-request';
import { RedirectListener } from '../redirect.listener';
import { RedirectResponder } from '../redirect-responder';
import { TrackedLinkLocator } from '../tracked-link-locator';
import { TRACE_REASONS, type TraceQuery, type TraceReason, type TraceResponse } from './link-trace.dto';
import { TracedResponse } from './traced-response';
import type { CachedTrackedLink } from '../../tracked-links/tracked-link-cache';

/** An address reserved for documentation, so that no visitor has it and it belongs to no country. */
const ADDRESS = '192.0.2.1';

/** Traces how a link responds, with a simulated HEAD request, which counts no click. */
@Injectable()
export class LinkTrace {
  constructor(
    private readonly hosts: Hosts,
    private readonly domains: DomainsService,
    private readonly locator: TrackedLinkLocator,
    private readonly listener: RedirectListener,
    private readonly responder: RedirectResponder,
    private readonly decisions: Decisions,
    private readonly links: LinksRepository,
    private readonly campaigns: CampaignsRepository,
  ) {}

  /** @throws ValidationFailed if the URL is not a short URL */
  async run({ organizationId }: Caller, query: TraceQuery): Promise<TraceResponse> {
    const { host, url } = this.parse(query.url);
    const headers = {
      host,
      'user-agent': query.userAgent ?? '',
      'accept-language': query.acceptLanguage ?? '',
    };
    const response = new TracedResponse(url, headers);
    const { path, query: search } = splitPath(url);
    const domain = await this.domainOf(organizationId, host);
    const located = domain && !domain.disabled ? this.locator.locate(domain, path) : null;
    if (!domain || !located) {
      this.listener.respondOn(domain, response.req, response, observedOf(response.req, 0));
      const reason = await this.reasonWithoutPath(organizationId, host, domain);
      return { ...(await response.answer), ...said(reason), rule: null, link: null };
    }
    const found =
      located.trackedLink === undefined
        ? await this.locator.find(domain, located.shortPath)
        : located.trackedLink;
    const trackedLink = found?.organizationId === organizationId ? found : null;
    let answer: TracedAnswer = 'NOT_FOUND';
    const redirectRequest: DomainRequest = {
      request: { url, headers, socket: { remoteAddress: ADDRESS }, ...madeUpOf(query) },
      head: true,
      query: search,
      tracker: located.tracker,
      domain,
      traced: (each) => (answer = each),
    };
    this.responder.send(response, trackedLink, redirectRequest, (error) => response.fail(error));
    const head = await response.answer;
    if (!trackedLink) {
      const reason = await this.reasonOfAbsence(organizationId, domain, path);
      return { ...head, ...said(reason), rule: null, link: null };
    }
    const { id, kind } = trackedLink;
    return {
      ...head,
      ...said(reasonOf(answer, trackedLink)),
      rule: this.ruleOf(answer, trackedLink, redirectRequest),
      link: { id, kind },
    };
  }

  private parse(text: string): { host: string; url: string } {
    const schemed = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
    const address = URL.parse(schemed);
    if (!address || !/^https?:$/.test(address.protocol)) {
      throw ValidationFailed.field('url', 'must be a short address');
    }
    const host = this.hosts.nameOf(address.host);
    const url = address.pathname + address.search;
    if (this.hosts.isOfApi(host, url)) {
      throw ValidationFailed.field('url', 'is an address of the service itself');
    }
    return { host, url };
  }

  /** The short domain of the host, if the organization may have links on it. */
  private async domainOf(organizationId: number, host: string): Promise<ShortDomain | null> {
    const known = this.hosts.peek(host);
    const domain = known === undefined ? await this.hosts.find(host) : known;
    return domain?.organizationId === null || domain?.organizationId === organizationId ? domain : null;
  }

  private async reasonWithoutPath(
    organizationId: number,
    host: string,
    domain: ShortDomain | null,
  ): Promise<TraceReason> {
    if (domain) return domain.disabled ? 'DOMAIN_DISABLED' : 'NO_LINK_PATH';
    return (await this.domains.has(organizationId, host)) ? 'DOMAIN_NOT_VERIFIED' : 'UNKNOWN_HOST';
  }

  private async reasonOfAbsence(
    organizationId: number,
    domain: ShortDomain,
    path: string,
  ): Promise<TraceReason> {
    const shortPath = parseShortPath(path);
    if (!shortPath) return 'NO_LINK_PATH';
    const isDeleted =
      shortPath.kind === 'link'
        ? await this.links.isDeleted(organizationId, domain, shortPath.code)
        : await this.campaigns.isDeleted(organizationId, domain, shortPath.alias);
    return isDeleted ? 'DELETED' : 'UNKNOWN_CODE';
  }

  private ruleOf(
    answer: TracedAnswer,
    trackedLink: CachedTrackedLink,
    redirectRequest: DomainRequest,
  ): TraceResponse['rule'] {
    if (!LEADING.has(answer)) return null;
    const visitor = agentOf(redirectRequest.request.headers['user-agent'] ?? '');
    const found = { trackedLink, visitor, redirectRequest };
    return { ...this.decisions.ruleOf(found), skipped: this.decisions.unmetOf(found) };
  }
}

function madeUpOf({ country, region, city, at }: TraceQuery): Pick<RequestHead, 'place' | 'at'> {
  const code = country?.toUpperCase() ?? region?.slice(0, 2).toUpperCase() ?? UNKNOWN;
  const place = { country: code, region: region?.toUpperCase() ?? null, city: city ?? null };
  return { place, at: parseDateTime(at ?? '')?.getTime() };
}

/** Kinds of responses with a destination. */
const LEADING: ReadonlySet<TracedAnswer> = new Set<TracedAnswer>(['REDIRECT', 'APP', 'AD', 'PREVIEW']);

const REASONS: Readonly<Record<Exclude<TracedAnswer, 'NOT_FOUND'>, TraceReason>> = {
  REDIRECT: 'REDIRECT',
  APP: 'APP_PAGE',
  AD: 'AD_PAGE',
  PREVIEW: 'PREVIEW_PAGE',
  STORE: 'STORE',
  PASSWORD: 'PASSWORD_REQUIRED',
  USED_UP: 'USED_UP',
  DISABLED: 'DISABLED',
  NOT_STARTED: 'NOT_STARTED',
  EXPIRED: 'EXPIRED',
};

/** Tells disabled and future links from unknown ones, which get the same response. */
function reasonOf(answer: TracedAnswer, { enabled }: CachedTrackedLink): TraceReason {
  if (answer !== 'NOT_FOUND') return REASONS[answer];
  return enabled === false ? 'SWITCHED_OFF' : 'NOT_STARTED';
}

function said(reason: TraceReason): Pick<TraceResponse, 'reason' | 'text'> {
  return { reason, text: TRACE_REASONS[reason] };
}
