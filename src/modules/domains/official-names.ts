import { toUnicode } from 'tr46';
import { RESERVED_WORDS } from './reserved-words';

/** Labels of subdomains that visitors would take for the service itself, besides reserved words. */
const OFFICIAL = [
  ...['2fa', 'abuse', 'accounts', 'activate', 'administrator', 'authenticate', 'authorize'],
  ...['autoconfig', 'autodiscover', 'bank', 'banking', 'billing', 'cdn', 'checkout', 'confirm'],
  ...['email', 'ftp', 'go', 'helpdesk', 'hostmaster', 'id', 'identity', 'idp', 'imap', 'invoice'],
  ...['invoices', 'isatap', 'link', 'localhost', 'logon', 'mail', 'mfa', 'mtasts', 'mx'],
  ...['myaccount', 'noreply', 'ns', 'oauth', 'official', 'oidc', 'openid', 'otp', 'passkey'],
  ...['password', 'passwords', 'pay', 'payment', 'payments', 'pop', 'postmaster', 'recover'],
  ...['recovery', 'register', 'reset', 'root', 'saml', 'secure', 'security', 'signin', 'signon'],
  ...['signout', 'signup', 'smtp', 'ssl', 'sso', 'sysadmin', 'unsubscribe', 'verification'],
  ...['verify', 'wallet', 'webmail', 'webmaster', 'wpad', 'админ', 'вход', 'логин', 'ログイン', '登入'],
  ...['登录', '管理员', '管理者', '계정', '관리자', '로그인'],
];
/** Words that no hyphen-separated part of a label may start or end with. */
const SIGNING_IN = ['account', 'admin', 'login', 'logon', 'password', 'signin', 'signon'];

/** Characters of other scripts, and digits, that look like a Latin letter. `i`, `l` and `1` count as one. */
const LOOK_ALIKES = {
  a: '4аαɑ',
  b: '8ьвβƅ',
  c: 'сϲᴄ',
  d: 'ԁɗđ',
  e: '3еєҽε',
  f: 'ғƒ',
  g: '9ɡցģ',
  h: 'һհн',
  j: 'јϳյ',
  k: 'кκ',
  l: '1iіιıɩӏլł',
  m: 'м',
  n: 'пηոռ',
  o: '0оοσօøᴏ',
  p: 'рρ',
  q: 'ԛզ',
  r: 'гɾ',
  s: '5ѕꜱ',
  t: '7тτ',
  u: 'υսᴜ',
  v: 'ѵνᴠ',
  w: 'ѡωԝա',
  x: 'хχ',
  y: 'уγүყ',
  z: '2ᴢ',
};
const LATIN = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([latin, others]) =>
    Array.from(others, (other) => [other, latin] as const),
  ),
);

/** Writing systems, which consist of one script or, in Japanese, Korean and Chinese, of several. */
const SCRIPTS = [
  ...['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Devanagari', 'Bengali'],
  ...['Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Thai', 'Lao'],
  ...['Tibetan', 'Myanmar', 'Khmer', 'Ethiopic', 'Mongolian', 'Thaana', 'Syriac'],
].map((script) => [script]);
const WRITING = [...SCRIPTS, ['Han', 'Hiragana', 'Katakana'], ['Hangul', 'Han'], ['Han', 'Bopomofo']].map(
  (scripts) =>
    new RegExp(`^[\\P{L}${scripts.map((name) => `\\p{Script_Extensions=${name}}`).join('')}]*$`, 'u'),
);

/** Latin letters of living languages, without diacritics. Other ones, such as small capitals, are look-alikes. */
const LATIN_LETTERS = /^[a-zßæœøđðþłħŋıĸŧə\P{sc=Latin}]*$/u;

const NAMES: ReadonlySet<string> = new Set([...RESERVED_WORDS, ...OFFICIAL].map(fold));

const SIGNS_IN = SIGNING_IN.map(fold);

/**
 * Why a label below the short domain is not allowed, because visitors could take it for the service itself; null if it
 * is allowed.
 */
export function problemOfLabel(ascii: string): string | null {
  const label = toUnicode(ascii).domain;
  if (!WRITING.some((script) => script.test(label))) return 'must have letters of one script';
  if (!LATIN_LETTERS.test(withoutMarks(label))) return 'must not have letters that look like others';
  return looksOfficial(label) ? 'is a reserved word or looks like one' : null;
}

/** Also true for `log-in`, `secure-login`, `login2`, `l0gin`, `login-page` and `my-admin`. */
function looksOfficial(label: string): boolean {
  if (NAMES.has(fold(label))) return true;
  const words = label
    .split('-')
    .map((part) => part.replace(/^\d+(?!\d)/, '').replace(/(?<!\d)\d+$/, ''))
    .filter((word) => word !== '')
    .map(fold);
  if (words.length === 0) return false;
  if (NAMES.has(words.join('')) || words.every((word) => NAMES.has(word))) return true;
  return words.some((word) => SIGNS_IN.some((name) => word.startsWith(name) || word.endsWith(name)));
}

/** Replaces characters by the Latin letters that they look like. */
function fold(word: string): string {
  const letters = withoutMarks(word).replaceAll(/[^\p{L}\p{N}]/gu, '');
  return Array.from(letters, (letter) => LATIN.get(letter) ?? letter)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

function withoutMarks(word: string): string {
  return word.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');
}
