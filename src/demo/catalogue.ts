/** What the shop of the demo sells and how it speaks of it. Destinations lead to a host that is reserved for examples. */
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

/** Where links are placed. `share`: how many clicks they get, relative to each other. */
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
export const FAMILY_NAMES = [
  'Kim',
  'Lee',
  'Park',
  'Choi',
  'Jung',
  'Kang',
  'Cho',
  'Yoon',
  'Jang',
  'Lim',
  'Han',
  'Oh',
] as const;
export const GIVEN_NAMES = [
  'Minji',
  'Jisoo',
  'Seoyeon',
  'Hayun',
  'Jiwoo',
  'Minjun',
  'Seojun',
  'Doyun',
  'Yejun',
  'Siwoo',
  'Jiho',
  'Eunwoo',
  'Chaewon',
  'Sua',
  'Yuna',
  'Hyunwoo',
  'Taeyang',
  'Nari',
  'Bora',
  'Sejin',
] as const;

export const memberId = (number: number): string => `member-${String(number + 1).padStart(5, '0')}`;
