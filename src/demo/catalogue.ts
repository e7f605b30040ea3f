import { Weighted } from './random';

/** Products and texts of the demo's shop. Destinations are on a host that is reserved for examples. */
const SHOP = 'https://example.com/';

export const shopUrl = (page: string, query: Record<string, string> = {}): string =>
  `${SHOP}?${new URLSearchParams({ page, ...query }).toString()}`;

export const PRODUCTS = [
  ['Linen shirt', 'summer'],
  ['Wool coat', 'winter'],
  ['Canvas sneakers', 'basics'],
  ['Denim jacket', 'basics'],
  ['Silk scarf', 'gifts'],
  ['Leather tote', 'bags'],
  ['Rain parka', 'outdoor'],
  ['Trail shoes', 'outdoor'],
  ['Cashmere sweater', 'winter'],
  ['Cotton tee', 'basics'],
  ['Pleated skirt', 'autumn'],
  ['Chino trousers', 'autumn'],
  ['Ceramic mug', 'home'],
  ['Scented candle', 'gifts'],
  ['Desk lamp', 'home'],
  ['Travel pouch', 'bags'],
  ['Running cap', 'outdoor'],
  ['Sunglasses', 'summer'],
  ['Knit beanie', 'winter'],
  ['Picnic blanket', 'home'],
  ['Yoga mat', 'outdoor'],
  ['Hand cream', 'gifts'],
  ['Notebook set', 'home'],
  ['Ankle boots', 'autumn'],
  ['Flannel pyjamas', 'winter'],
] as const;

/** Where links are placed. `share`: clicks relative to other placements. */
export const PLACEMENTS = [
  { name: 'Instagram story', tag: 'social', source: 'instagram', medium: 'social', share: 14 },
  { name: 'Instagram bio', tag: 'social', source: 'instagram', medium: 'bio', share: 9 },
  { name: 'KakaoTalk message', tag: 'messenger', source: 'kakao', medium: 'message', share: 16 },
  { name: 'Naver blog', tag: 'blog', source: 'naver', medium: 'blog', share: 7 },
  { name: 'Newsletter', tag: 'email', source: 'newsletter', medium: 'email', share: 10 },
  { name: 'YouTube description', tag: 'video', source: 'youtube', medium: 'video', share: 5 },
  { name: 'TikTok video', tag: 'video', source: 'tiktok', medium: 'video', share: 6 },
  { name: 'Facebook ad', tag: 'ads', source: 'facebook', medium: 'cpc', share: 9 },
  { name: 'Search ad', tag: 'ads', source: 'google', medium: 'cpc', share: 8 },
  { name: 'Influencer', tag: 'influencer', source: 'creator', medium: 'referral', share: 6 },
  { name: 'Package insert QR', tag: 'print', source: 'package', medium: 'qr', share: 3 },
  { name: 'Store window QR', tag: 'print', source: 'store', medium: 'qr', share: 4 },
  { name: 'App push', tag: 'push', source: 'app', medium: 'push', share: 8 },
  { name: 'SMS', tag: 'messenger', source: 'sms', medium: 'sms', share: 5 },
  { name: 'Lookbook', tag: 'blog', source: 'lookbook', medium: 'referral', share: 3 },
  { name: 'Global site', tag: 'global', source: 'global', medium: 'referral', share: 6 },
] as const;

export const CAMPAIGNS = [
  ['Early autumn sale', 0],
  ['Chuseok gift guide', 6],
  ['Back to work', 13],
  ['App launch week', 20],
  ['Members only preview', 27],
  ['Outdoor weekend', 34],
  ['Denim days', 41],
  ['Refer a friend', 48],
  ['Winter coats', 55],
  ['Pepero day', 63],
  ['Black Friday', 72],
  ['Holiday wrapping', 80],
] as const;

/** Channels of campaigns, with their share of clicks. */
export const CHANNELS = [
  ['kakao', 30],
  ['instagram', 26],
  ['email', 18],
  ['push', 12],
  ['naver', 8],
  ['sms', 6],
] as const;

export const GRADES = ['gold', 'silver', 'bronze'] as const;
export const CITIES = ['Seoul', 'Busan', 'Incheon', 'Daegu', 'Daejeon', 'Gwangju', 'Suwon', 'Jeju'] as const;
export const FAMILY_NAMES = 'Kim Lee Park Choi Jung Kang Cho Yoon Jang Lim Han Oh'.split(' ');
export const GIVEN_NAMES =
  'Minji Jisoo Seoyeon Hayun Jiwoo Minjun Seojun Doyun Yejun Siwoo Jiho Eunwoo'.split(' ');

export const memberId = (number: number): string => `member-${String(number + 1).padStart(5, '0')}`;

export const COLLEAGUES = [
  { name: 'Park Seoyeon', role: 'EDITOR', permissions: ['revenue.view', 'conversion.view'], day: 2 },
  { name: 'Choi Minjun', role: 'VIEWER', permissions: ['mau.view', 'segments.view'], day: 9 },
  { name: 'Jung Hayun', role: 'VIEWER', permissions: [], day: 30 },
];

export const IOS_APP = {
  platform: 'iOS',
  appName: 'Demo Shop for iPhone',
  bundleId: 'com.example.demoshop',
  scheme: 'demoshop://',
  teamId: 'DEMO123456',
  storeUrl: 'https://apps.apple.com/app/id1234567890',
};
export const ANDROID_APP = {
  platform: 'Android',
  appName: 'Demo Shop for Android',
  bundleId: 'com.example.demoshop.android',
  scheme: 'demoshop://',
  storeUrl: 'https://play.google.com/store/apps/details?id=com.example.demoshop.android',
};
/** Nobody can register a name below `.example`, so these stay unverified. */
export const DOMAINS = ['go.demo-shop.example', 'links.demo-shop.example'];

/** Members meet all conditions. */
export const SEGMENTS = [
  { name: 'Big spenders', conditions: [['activity.purchase.sum', 'GTE', 100_000]] },
  {
    name: 'Gold members in Seoul',
    conditions: [
      ['custom.grade', 'EQ', 'gold'],
      ['custom.city', 'EQ', 'Seoul'],
    ],
  },
  {
    name: 'May get advertising by text message',
    conditions: [
      ['smsAdOptIn', 'EQ', true],
      ['optedOut.sms', 'EQ', false],
    ],
  },
  {
    name: 'Frequent visitors without a purchase',
    conditions: [
      ['custom.visits', 'GTE', 30],
      ['activity.purchase.count', 'NOT_EXISTS', undefined],
    ],
  },
] as const;

/**
 * No host has these names: deliveries to the first one fail, which the console shows, and the second one is disabled.
 * Clicks are excluded, because hundreds of thousands of them would wait for delivery.
 */
export const WEBHOOKS = [
  {
    url: 'https://hooks.demo-shop.example/waypost',
    events: ['goal.completed', 'contact.opt_out', 'link.created'],
  },
  { url: 'https://warehouse.demo-shop.example/sessions', events: ['session.*'], enabled: false },
] as const;

export const DEVICES = {
  ios: {
    os: 'iOS',
    osVersions: ['26.0', '26.1', '18.6'],
    models: ['iPhone18,1', 'iPhone17,3', 'iPhone16,2', 'iPhone15,4'],
  },
  android: {
    os: 'Android',
    osVersions: ['14', '15', '16'],
    models: ['SM-S938N', 'SM-S928N', 'SM-A546S', 'SM-F956N'],
  },
};

const iPhone = (ios: string, tail: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${ios} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${tail}`;
const android = (device: string, tail: string) =>
  `Mozilla/5.0 (Linux; Android ${device}) AppleWebKit/537.36 (KHTML, like Gecko) ${tail}`;
const windows = (tail: string) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ${tail}`;
const mac = (tail: string) => `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/${tail}`;

export const browsers = new Weighted<string>([
  [170, iPhone('18_6', 'Version/26.0 Mobile/15E148 Safari/604.1')],
  [60, iPhone('18_5', 'Version/18.5 Mobile/15E148 Safari/604.1')],
  [70, iPhone('18_6', 'Mobile/15E148 Instagram 389.0.0.19.84')],
  [65, iPhone('18_6', 'Mobile/15E148 KAKAOTALK 25.8.0')],
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
  [40, mac('605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15')],
  [28, mac('537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36')],
  [
    6,
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  ],
]);

/** User agents of bots, whose clicks are counted separately. */
export const bots = new Weighted<string>([
  [30, 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
  [24, 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
  [20, 'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984'],
  [12, 'Mozilla/5.0 (compatible; Yeti/1.1; +https://naver.me/spd)'],
  [8, 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'],
  [3, 'python-requests/2.32.3'],
]);

/** Pages that visitors come from; null: no referrer. */
export const referrers = new Weighted<string | null>([
  [360, null],
  [150, 'https://www.instagram.com/'],
  [95, 'https://search.naver.com/search.naver'],
  [80, 'https://www.google.com/'],
  [60, 'https://l.facebook.com/'],
  [45, 'https://blog.naver.com/'],
  [40, 'https://www.youtube.com/'],
  [35, 'https://t.co/'],
  [24, 'https://www.threads.net/'],
  [22, 'https://www.tiktok.com/'],
]);
