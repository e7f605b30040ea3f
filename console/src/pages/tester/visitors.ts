/** User agents of devices and programs that open links. */
export const DEVICES = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 15; SM-S931N) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  windows:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
  kakao: 'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devs.kakao.com/support/ask/',
  slack: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  google: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
} as const;

export type DeviceName = keyof typeof DEVICES;

/** Languages of a visitor's browser to choose from. */
export const VISITOR_LANGUAGES = ['en', 'ko', 'ja', 'zh', 'es', 'fr', 'de', 'pt', 'id', 'vi', 'th', 'ar'];

/** Codes that are not countries: groups of states, and private use. */
const NO_COUNTRY = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

/** Countries with their names in a language, sorted by name. */
export function countries(locale: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((value) => {
      const label = NO_COUNTRY.has(value) ? undefined : names.of(value);
      return label === undefined ? [] : [{ value, label }];
    })
    .sort((one, other) => one.label.localeCompare(other.label, locale));
}
