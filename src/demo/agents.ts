import { Weighted } from './random';

const iPhone = (ios: string, tail: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${ios} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${tail}`;
const android = (device: string, tail: string) =>
  `Mozilla/5.0 (Linux; Android ${device}) AppleWebKit/537.36 (KHTML, like Gecko) ${tail}`;
const windows = (tail: string) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ${tail}`;
const mac = (tail: string) => `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/${tail}`;

/** Browsers of people. */
export const browsers = new Weighted<string>([
  [170, iPhone('18_6', 'Version/26.0 Mobile/15E148 Safari/604.1')],
  [60, iPhone('18_5', 'Version/18.5 Mobile/15E148 Safari/604.1')],
  [70, iPhone('18_6', 'Mobile/15E148 Instagram 389.0.0.19.84')],
  [65, iPhone('18_6', 'Mobile/15E148 KAKAOTALK 25.8.0')],
  [20, iPhone('18_6', 'CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1')],
  [150, android('10; K', 'Chrome/142.0.0.0 Mobile Safari/537.36')],
  [75, android('14; SM-S928N', 'SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36')],
  [70, android('15; SM-S938N; wv', 'Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36;KAKAOTALK 2510800')],
  [
    35,
    android('14; SM-A546S; wv', 'Version/4.0 Chrome/141.0.0.0 Mobile Safari/537.36 Instagram 400.0.0.49.68'),
  ],
  [25, android('14; SM-X810', 'Chrome/142.0.0.0 Safari/537.36')],
  [
    20,
    'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  ],
  [110, windows('Chrome/142.0.0.0 Safari/537.36')],
  [35, windows('Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0')],
  [15, windows('Chrome/138.0.0.0 Whale/4.34.340.19 Safari/537.36')],
  [12, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0'],
  [40, mac('605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15')],
  [28, mac('537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36')],
  [
    6,
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  ],
]);

/** Programs, which are counted apart. */
export const bots = new Weighted<string>([
  [30, 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
  [24, 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
  [20, 'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984'],
  [12, 'Mozilla/5.0 (compatible; Yeti/1.1; +https://naver.me/spd)'],
  [8, 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'],
  [6, 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
  [4, 'Twitterbot/1.0'],
  [3, 'python-requests/2.32.3'],
]);

/** Pages that visitors come from; null: none, or one that tells nothing. */
export const referrers = new Weighted<string | null>([
  [360, null],
  [150, 'https://www.instagram.com/'],
  [95, 'https://search.naver.com/search.naver'],
  [80, 'https://www.google.com/'],
  [60, 'https://l.facebook.com/'],
  [45, 'https://blog.naver.com/'],
  [40, 'https://www.youtube.com/'],
  [35, 'https://t.co/'],
  [28, 'https://search.daum.net/search'],
  [24, 'https://www.threads.net/'],
  [22, 'https://www.tiktok.com/'],
  [20, 'https://cafe.naver.com/'],
  [14, 'https://www.pinterest.com/'],
  [12, 'https://www.reddit.com/'],
  [9, 'https://news.ycombinator.com/'],
  [6, 'https://www.linkedin.com/'],
]);
