import { cut } from './text';
import type { Link } from './types';

const MAX_URL = 2_000;
const MAX_TEXT = 200;

/** The link in the query of the page's URL. */
export function linkOfPage(): Link | null {
  const query = new URLSearchParams(location.search);
  const text = (name: string) => query.get(`waypost-${name}`) ?? undefined;
  const id = (name: string) => {
    const number = Number(text(name));
    return Number.isSafeInteger(number) && number > 0 ? number : undefined;
  };
  return present({
    token: text('token'),
    urlId: id('url'),
    campaignId: id('campaign'),
    shortCode: text('code'),
  });
}

/** A link without its empty fields; null if all are empty. */
export function present({ token, urlId, campaignId, shortCode }: Link): Link | null {
  const said = Object.entries({ token, urlId, campaignId, shortCode }).filter(([, value]) => value);
  return said.length > 0 ? Object.fromEntries(said) : null;
}

/** Referrer, landing page and utm values for a session that starts on this page. */
export function arrival(): Record<string, string> {
  const query = new URLSearchParams(location.search);
  const utm = (name: string) => cut(query.get(`utm_${name}`) ?? '', MAX_TEXT);
  const all = {
    utmSource: utm('source'),
    utmMedium: utm('medium'),
    utmTerm: utm('term'),
    utmContent: utm('content'),
    referrer: cut(document.referrer, MAX_URL),
    landingUrl: cut(location.href.replace(/#.*/s, ''), MAX_URL),
  };
  return Object.fromEntries(Object.entries(all).flatMap(([name, text]) => (text ? [[name, text]] : [])));
}
