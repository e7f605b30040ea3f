import { Injectable } from '@nestjs/common';
import { networkOf, normalizeIp } from '../../../access/client-ip';
import { OrganizationCache } from '../../../access/organizations/organization-cache';
import { RateLimitStorage } from '../../../access/rate-limits/rate-limit-storage';
import type { ApiRequest } from '../../../common/http/api-request';
import { isEmbedded } from '../../../common/http/embedded-request';
import { normalizeChannelValue } from '../../../common/contact-values/channel-value';
import { type Html, messagePage } from '../../pages/html';
import type { MessageName, MessageTexts, Texts } from '../../pages/texts/texts';
import type { OptOutForm } from './opt-out-form';
import { type OptOutLink, OptOutLinksRepository } from './opt-out-links.repository';
import { masked, OPT_OUT_HEADERS, optOutPage } from './opt-out-page';
import { type OptedOut, OptOuts } from '../opt-outs';

const TOKEN = /^[0-9A-Za-z]{22}$/;
const ORGANIZATION = /^[1-9]\d{0,14}$/;
const MINUTE_MS = 60_000;
/** Requests per minute and network. Mail services send one-click requests of thousands of people from one address. */
const LIMITS = { page: 60, oneClick: 1_200 };

type Words = (say: Texts['optOut'], who: string) => MessageTexts;

interface Found {
  readonly link: OptOutLink;
  readonly region: string;
}

/** A page, and the organization of its branding (null: none). */
export interface OptOutAnswer {
  readonly page: Html;
  readonly organizationId: number | null;
}

@Injectable()
export class OptOutAnswers {
  constructor(
    private readonly links: OptOutLinksRepository,
    private readonly optOuts: OptOuts,
    private readonly organizations: OrganizationCache,
    private readonly rates: RateLimitStorage,
  ) {}

  /** The page of a link. Changes nothing, because mail scanners open links. */
  async show(request: ApiRequest): Promise<OptOutAnswer> {
    if (isEmbedded(request.headers)) return EMBEDDED;
    const refusal = await this.refusal(request, 'page');
    if (refusal) return refusal;
    const found = await this.find(request);
    if (!found) return UNKNOWN;
    const current = await this.optOuts.current(found.link);
    return branded(found.link, current ? donePage(found.link, current) : askPage(found.link));
  }

  /**
   * Opts out, or undoes it. One-click requests, whose network is a mail service's, have a limit of their own for links
   * with a value.
   * @param read reads the form; called only for a known link within the limits
   */
  async submit(request: ApiRequest, read: () => Promise<OptOutForm>): Promise<OptOutAnswer> {
    const refusal = await this.refusal(request, 'oneClick');
    if (refusal) return refusal;
    const found = await this.find(request);
    const early = found !== null && found.link.value !== null ? null : await this.refusal(request, 'page');
    if (early) return early;
    if (!found) return UNKNOWN;
    const form = await read();
    const isPressed = found.link.value !== null && !form.isOneClick;
    const late = isPressed ? await this.refusal(request, 'page') : null;
    return late ?? branded(found.link, await this.answerForm(found, form));
  }

  private async answerForm({ link, region }: Found, { fields, isOneClick }: OptOutForm): Promise<Html> {
    if (fields.get('action') === 'undo') {
      const undone = await this.optOuts.undo(link, fields.get('undo') ?? '');
      return undone === null ? tooLatePage() : undonePage(link, undone);
    }
    if (!isOneClick && fields.get('action') !== 'confirm') return askPage(link, 400);
    const value = link.value ?? normalizeChannelValue(link.channel, fields.get('value') ?? '', region).value;
    if (value === null) return askPage(link, 400, link.channel === 'EMAIL' ? 'notAnEmail' : 'notAPhone');
    return donePage(link, await this.optOuts.confirm(link, value));
  }

  private async find({ params, query }: ApiRequest): Promise<Found | null> {
    const { token } = params;
    const organizationId = organizationIn(query);
    const isWhole = typeof token === 'string' && TOKEN.test(token) && organizationId !== null;
    const link = isWhole ? await this.links.find(token, organizationId) : null;
    // Links of a deleted organization are invalid.
    const snapshot = link && (await this.organizations.get(link.organizationId));
    return snapshot && { link, region: snapshot.organization.defaultRegion };
  }

  private async refusal({ ip }: ApiRequest, kind: keyof typeof LIMITS): Promise<OptOutAnswer | null> {
    const key = networkOf(normalizeIp(ip));
    const { isBlocked, timeToBlockExpire } = await this.rates.increment(
      `opt-out-${kind}:${key}`,
      MINUTE_MS,
      LIMITS[kind],
      0,
      'opt-out',
    );
    return isBlocked ? unbranded(429, 'tooManyRequests', { 'Retry-After': String(timeToBlockExpire) }) : null;
  }
}

/** @returns null if the URL does not contain it */
function organizationIn({ o }: ApiRequest['query']): number | null {
  return typeof o === 'string' && ORGANIZATION.test(o) ? Number(o) : null;
}

function branded({ organizationId }: OptOutLink, page: Html): OptOutAnswer {
  return { page, organizationId };
}

const UNKNOWN = unbranded(404, 'notFound');
const EMBEDDED = unbranded(403, 'badRequest');

function unbranded(status: number, message: MessageName, headers?: Record<string, string>): OptOutAnswer {
  return { page: messagePage(status, message, { ...OPT_OUT_HEADERS, ...headers }), organizationId: null };
}

function askPage({ channel, value }: OptOutLink, status = 200, problem?: 'notAPhone' | 'notAnEmail'): Html {
  return optOutPage({
    status,
    words: (say, who) => ({
      title: say.ask(channel, who),
      text: value === null ? say.enter(channel, who) : say.effect(channel, who, masked(value)),
    }),
    confirm: { ask: value === null ? channel : null },
    ...(problem && { problem: (say) => say[problem] }),
  });
}

function donePage({ channel }: OptOutLink, { value, undo }: OptedOut): Html {
  const words: Words = (say, who) => ({ title: say.done, text: say.doneEffect(channel, who, masked(value)) });
  return optOutPage({ status: 200, words, undo });
}

function undonePage({ channel }: OptOutLink, value: string): Html {
  const words: Words = (say, who) => ({
    title: say.undone,
    text: say.undoneEffect(channel, who, masked(value)),
  });
  return optOutPage({ status: 200, words });
}

function tooLatePage(): Html {
  const words: Words = (say, who) => ({ title: say.tooLate, text: say.tooLateText(who) });
  return optOutPage({ status: 410, words });
}
