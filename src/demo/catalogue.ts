/** Destinations are on a host that is reserved for examples. */
export const shopUrl = (page: string, query: Record<string, string> = {}): string =>
  `https://example.com/?${new URLSearchParams({ page, ...query }).toString()}`;

export const slugOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

const SEASONS = {
  summer: ['Linen shirt', 'Sunglasses', 'Straw hat', 'Beach towel', 'Sandals'],
  winter: ['Wool coat', 'Cashmere sweater', 'Knit beanie', 'Flannel pyjamas', 'Thermal socks'],
  basics: ['Canvas sneakers', 'Denim jacket', 'Cotton tee', 'Leather belt', 'Boxer shorts'],
  gifts: ['Silk scarf', 'Scented candle', 'Hand cream', 'Tea set', 'Gift card'],
  bags: ['Leather tote', 'Travel pouch', 'Backpack', 'Card holder', 'Weekend bag'],
  outdoor: ['Rain parka', 'Trail shoes', 'Running cap', 'Yoga mat', 'Water bottle'],
  autumn: ['Pleated skirt', 'Chino trousers', 'Ankle boots', 'Corduroy shirt', 'Trench coat'],
  home: ['Ceramic mug', 'Desk lamp', 'Picnic blanket', 'Notebook set', 'Bath robe'],
};
export const PRODUCTS = Object.entries(SEASONS).flatMap(([season, products]) =>
  products.map((product) => ({ product, season })),
);

export const PLACEMENTS = [
  { name: 'KakaoTalk message', source: 'kakao', medium: 'message' },
  { name: 'Instagram story', source: 'instagram', medium: 'social' },
  { name: 'Newsletter', source: 'newsletter', medium: 'email' },
  { name: 'Search ad', source: 'google', medium: 'cpc' },
  { name: 'Naver blog', source: 'naver', medium: 'blog' },
  { name: 'App push', source: 'app', medium: 'push' },
  { name: 'YouTube description', source: 'youtube', medium: 'video' },
  { name: 'Influencer', source: 'creator', medium: 'referral' },
  { name: 'Store window QR', source: 'store', medium: 'qr' },
  { name: 'SMS', source: 'sms', medium: 'sms' },
];

export const CAMPAIGNS = [
  'Early autumn sale',
  'Chuseok gift guide',
  'Back to work',
  'App launch week',
  'Members only preview',
  'Outdoor weekend',
  'Denim days',
  'Refer a friend',
  'Winter coats',
  'Pepero day',
  'Black Friday',
  'Holiday wrapping',
];
export const CHANNELS = ['kakao', 'instagram', 'email', 'push', 'naver', 'sms'];

export const memberId = (number: number): string => `member-${String(number + 1).padStart(5, '0')}`;

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

/**
 * No host has these names: deliveries to the first one fail, which the console shows, and the second one is disabled.
 * Clicks are excluded, because hundreds of thousands of them would wait for delivery.
 */
export const WEBHOOKS = [
  { url: 'https://hooks.demo-shop.example/waypost', events: ['goal.completed', 'link.created'] },
  { url: 'https://warehouse.demo-shop.example/sessions', events: ['session.*'], enabled: false },
] as const;

/** Networks in Korea (two), Japan, the US, Taiwan, the UK, Germany and Canada. */
export const NETWORKS = ['175.223', '39.7', '126.72', '73.92', '114.36', '86.140', '84.150', '99.230'];

const agent = (system: string, browser: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${browser}`;
const IPHONE = 'iPhone; CPU iPhone OS 18_6 like Mac OS X';
const WINDOWS = 'Windows NT 10.0; Win64; x64';

/** Browsers, the most frequent ones first, and two bots, whose clicks are counted separately. */
export const USER_AGENTS = [
  agent(IPHONE, 'Version/26.0 Mobile/15E148 Safari/604.1'),
  agent('Linux; Android 10; K', 'Chrome/142.0.0.0 Mobile Safari/537.36'),
  agent(WINDOWS, 'Chrome/142.0.0.0 Safari/537.36'),
  agent(IPHONE, 'Mobile/15E148 KAKAOTALK 25.8.0'),
  agent('Linux; Android 14; SM-S928N', 'SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36'),
  agent(IPHONE, 'Mobile/15E148 Instagram 389.0.0.19.84'),
  agent('Macintosh; Intel Mac OS X 10_15_7', 'Version/26.0 Safari/605.1.15'),
  agent(WINDOWS, 'Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0'),
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
];

/** Pages that visitors come from; null: no referrer. */
export const REFERRERS = [
  null,
  'https://www.instagram.com/',
  'https://search.naver.com/search.naver',
  'https://www.google.com/',
  'https://blog.naver.com/',
  'https://www.youtube.com/',
];
