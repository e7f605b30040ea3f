import { Injectable } from '@nestjs/common';
import { normalizeIp } from '../../access/client-ip';
import { OrganizationSnapshots } from '../../access/organizations/organization-snapshots';
import { RateLimitStorage } from '../../access/rate-limits/rate-limit-storage';
import type { ApiRequest } from '../../common/http/api-request';
import { normalizeChannelValue } from '../../common/phone/channel-value';
import { type OptOutLink, OptOutLinkRows } from './opt-out-link-rows';
import { masked, type OptOutPage } from './opt-out-page';
import { type OptedOut, OptOuts } from './opt-outs';

const TOKEN = /^[0-9A-Za-z]{22}$/;
const MINUTE_MS = 60_000;
/** People look and press; programs of mail services press for thousands of people from one address. */
const LIMITS = { page: 60, oneClick: 1_200 };
const ONE_CLICK = { name: 'List-Unsubscribe', value: 'One-Click' };

const UNKNOWN: OptOutPage = {
  status: 404,
  title: 'Link not found',
  text: 'This link does not exist. Please check the address.',
};

/** What the page of an opt-out link answers. */
@Injectable()
export class OptOutAnswers {
  constructor(
    private readonly links: OptOutLinkRows,
    private readonly optOuts: OptOuts,
    private readonly organizations: OrganizationSnapshots,
    private readonly rates: RateLimitStorage,
  ) {}

  /** Changes nothing, however often. */
  async show(request: ApiRequest): Promise<OptOutPage> {
    const refusal = await this.refusal(request, 'page');
    if (refusal) return refusal;
    const found = await this.find(request);
    if (!found) return UNKNOWN;
    const current = await this.optOuts.current(found.link);
    return current ? donePage(current) : askPage(found.link);
  }

  async submit(request: ApiRequest): Promise<OptOutPage> {
    const form = formOf(request);
    const isOneClick = form.get(ONE_CLICK.name) === ONE_CLICK.value;
    const refusal = await this.refusal(request, isOneClick ? 'oneClick' : 'page');
    if (refusal) return refusal;
    const found = await this.find(request);
    if (!found) return UNKNOWN;
    const { link, region } = found;
    if (form.get('action') === 'undo') return this.undo(link, form.get('undo') ?? '');
    if (!isOneClick && form.get('action') !== 'confirm') return { ...askPage(link), status: 400 };
    const value = link.value ?? normalizeChannelValue(link.channel, form.get('value') ?? '', region).value;
    if (value === null) return { ...askPage(link), status: 400, problem: PROBLEMS[link.channel] };
    return donePage(await this.optOuts.confirm(link, value));
  }

  private async undo(link: OptOutLink, token: string): Promise<OptOutPage> {
    const value = await this.optOuts.undo(link, token);
    return value === null ? TOO_LATE : undonePage(value);
  }

  private async find({ params }: ApiRequest): Promise<{ link: OptOutLink; region: string } | null> {
    const { token } = params;
    const link = typeof token === 'string' && TOKEN.test(token) ? await this.links.find(token) : null;
    // Links of an organization that was deleted lead nowhere.
    const snapshot = link && (await this.organizations.get(link.organizationId));
    return snapshot && { link, region: snapshot.organization.defaultRegion };
  }

  private async refusal({ ip }: ApiRequest, kind: keyof typeof LIMITS): Promise<OptOutPage | null> {
    const key = normalizeIp(ip);
    const { isBlocked, timeToBlockExpire } = await this.rates.increment(
      `opt-out-${kind}:${key}`,
      MINUTE_MS,
      LIMITS[kind],
      0,
      'opt-out',
    );
    return isBlocked ? { ...BUSY, headers: { 'Retry-After': String(timeToBlockExpire) } } : null;
  }
}

const NAMES = { SMS: 'text messages', EMAIL: 'e-mails', WHATSAPP: 'WhatsApp messages' };
const PROBLEMS = {
  SMS: 'That is not a phone number. Please type it with its area code.',
  EMAIL: 'That is not an e-mail address. Please check it.',
  WHATSAPP: 'That is not a phone number. Please type it with its area code.',
};

const TOO_LATE: OptOutPage = {
  status: 410,
  title: 'It is too late for that',
  text: 'An opt-out can be undone here for ten minutes. Please ask the sender to write to you again.',
};
const BUSY: OptOutPage = {
  status: 429,
  title: 'Please try again',
  text: 'There were too many tries from your connection. Please try again in a minute.',
};

function askPage({ channel, value }: OptOutLink): OptOutPage {
  const title = `Stop advertising by ${NAMES[channel]}?`;
  return value === null
    ? {
        status: 200,
        title,
        text: 'Tell us where the messages arrive, and no advertising will be sent there any more.',
        confirm: { ask: channel },
      }
    : {
        status: 200,
        title,
        text: `No advertising will be sent to ${masked(value)} any more.`,
        confirm: { ask: null },
      };
}

function donePage({ value, undo }: OptedOut): OptOutPage {
  const text = `No advertising will be sent to ${masked(value)} any more.`;
  return { status: 200, title: 'You have opted out', text, undo };
}

function undonePage(value: string): OptOutPage {
  const text = `${masked(value)} can get messages again.`;
  return { status: 200, title: 'Your opt-out is undone', text };
}

/** The fields of a form, in either of the two encodings that forms have. */
function formOf({ body, headers }: ApiRequest): URLSearchParams {
  const text: unknown = body;
  if (typeof text !== 'string') return new URLSearchParams();
  if (!headers['content-type']?.toLowerCase().startsWith('multipart/form-data'))
    return new URLSearchParams(text);
  const fields = [
    ...text.matchAll(/name="([^"\r\n]*)"[^\r\n]*(?:\r?\n[^\r\n]+)*\r?\n\r?\n([^\r\n]*)\r?\n--/g),
  ];
  return new URLSearchParams(fields.map(([, name = '', value = '']): [string, string] => [name, value]));
}
