import { agentOf, referrerHost } from './visitor-facts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IOS_WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko)';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';

describe('the device of a user agent', () => {
  it.each([
    ['Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16', 'Android'],
    ['Opera/9.80 (J2ME/MIDP; Opera Mini/7.1.32052/29.3709; U; en) Presto/2.8.119', 'Unknown'],
    ['Opera/9.80 (iPhone; Opera Mini/8.0.0/34.2336; U; en) Presto/2.8.119', 'iOS'],
    ['Dalvik/2.1.0 (Linux; U; Android 13; SM-S908B Build/TP1A.220624.014)', 'Android'],
    ['Dalvik/1.6.0 (Linux; U; Android 4.4.2; X98 Air 3G Build/KOT49H)', 'Android'],
    ['Shop/42 CFNetwork/1410.0.3 Darwin/22.6.0', 'iOS'],
    [
      `Mozilla/5.0 (Linux; Android 12; Lenovo TB-X606F; wv) ${WEBKIT} Chrome/119 Mobile Safari/537.36`,
      'Android',
    ],
    [`Mozilla/5.0 (Linux; Android 9; Nokia T20) ${WEBKIT} Chrome/119.0 Mobile Safari/537.36`, 'Android'],
    ['Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0', 'Android'],
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${IOS_WEBKIT} Mobile/15E148`, 'iOS'],
    ['Shop/3.2 (iPhone; iOS 17.2; Scale/3.00)', 'iOS'],
    ['Shop/3.2 (iPod touch; iOS 12.5; Scale/2.00)', 'iOS'],
    ['iOS Shop/1.0 (com.example.shop; build:1; iOS 13.0.0) Alamofire/5.0.0', 'iOS'],
    ['UCWEB/2.0 (Linux; U; Adr 4.4.4; en-US; Micromax) U2/1.0.0 UCBrowser/10.7.9 U2/1.0.0 Mobile', 'Android'],
  ])('%s: a phone on %s', (userAgent, os) => {
    expect(agentOf(userAgent)).toMatchObject({ deviceType: 'Mobile', os });
  });

  it.each([
    [
      `(Linux; Android 10; HarmonyOS; ELS-AN00; HMSCore 6.13.0) ${WEBKIT} Chrome/99.0 HuaweiBrowser/14.0 Mobile`,
      'Mobile',
      'Android',
    ],
    [`(Linux; U; Android 12; HarmonyOS; zh-cn; NOH-AN00) ${WEBKIT} Mobile`, 'Mobile', 'Android'],
    [`(Linux; HarmonyOS; NOH-AN00; HMSCore 6.1) ${WEBKIT} Chrome/99.0 Mobile`, 'Mobile', 'Android'],
    [`(Linux; Android 12; HarmonyOS; MRX-AL09) ${WEBKIT} Chrome/99.0`, 'Mobile', 'Android'],
    [`(Phone; OpenHarmony 5.0) ${WEBKIT} Chrome/114.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile`, 'Mobile', null],
    [`(Tablet; OpenHarmony 5.0) ${WEBKIT} Chrome/114.0 Safari/537.36 ArkWeb/4.1.6.1`, 'Tablet', null],
    [`(PC; OpenHarmony 5.0) ${WEBKIT} Chrome/114.0 Safari/537.36 ArkWeb/4.1.6.1`, 'Desktop', null],
    [`(Linux; Android 9; HarmonyOS; HEGE-560 Smart-TV) ${WEBKIT}`, 'Unknown', null],
  ])('%s: HarmonyOS', (rest, deviceType, platform) => {
    const agent = agentOf(`Mozilla/5.0 ${rest} Safari/537.36`);
    expect(agent).toMatchObject({ os: 'HarmonyOS', deviceType, platform, isBot: false });
  });

  it('KaiOS, which calls itself Android and runs none of its apps', () => {
    const agent = agentOf(
      'Mozilla/5.0 (Mobile; LYF/F220B/LYF-F220B; Android; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
    );
    expect(agent).toMatchObject({ os: 'KaiOS', deviceType: 'Mobile', platform: null, isBot: false });
  });

  it.each([
    [`Mozilla/5.0 (Linux; Android 13; SM-T870) ${WEBKIT} Chrome/120.0.0.0 Safari/537.36`, 'Android'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, 'Android'],
    ['Mozilla/5.0 (Android 13; Tablet; rv:120.0) Gecko/120.0 Firefox/120.0', 'Android'],
    ['Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) Version/12.1 Mobile/15E148 Safari/604.1', 'iOS'],
    ['Shop/3.2 (iPad; iOS 17.2; Scale/2.00)', 'iOS'],
    ['Shop/3.2 (iPad; iPadOS 17.2; Scale/2.00)', 'iOS'],
  ])('%s: a tablet on %s', (userAgent, os) => {
    expect(agentOf(userAgent)).toMatchObject({ deviceType: 'Tablet', os });
  });

  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`, 'Windows'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${IOS_WEBKIT} Version/26.0 Safari/605.1.15`, 'Mac OS'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/142 Safari/537.36`, 'Linux'],
    ['Shop/42 CFNetwork/1335.0.3 Darwin/21.6.0 (x86_64)', 'Mac OS'],
  ])('%s: a desktop on %s', (userAgent, os) => {
    expect(agentOf(userAgent)).toMatchObject({ deviceType: 'Desktop', os });
  });

  it.each([
    'Dalvik/2.1.0 (Linux; U; Android 9; AFTMM Build/PS7285)',
    `Mozilla/5.0 (Linux; Android 9; AFTMM; wv) ${WEBKIT} Chrome/108.0 Mobile Safari/537.36`,
    `Mozilla/5.0 (Linux; Android 11; BRAVIA VH1) ${WEBKIT} Chrome/110 Mobile Safari/537.36`,
    `Mozilla/5.0 (Linux; Android 12; onn. 4K Streaming Box; wv) ${WEBKIT} Chrome/108.0 Mobile Safari/537.36`,
    `Mozilla/5.0 (Linux; Android 10; Android TV) ${WEBKIT} Chrome/110 Safari/537.36`,
    `Mozilla/5.0 (Linux; Android 8.0.0; TPM171E) ${WEBKIT} Chrome/100 Safari/537.36`,
    `Mozilla/5.0 (Linux; U; Android 9; en-us; TCL Smart TV) ${WEBKIT} Mobile Safari/537.36`,
    `Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) ${WEBKIT} 76.0.3809.146/6.0 TV Safari/537.36`,
    'HbbTV/1.4.1 (+DRM;LGE;55UK6200PLA;WEBOS4.0 05.30.25;W4_M16P;)',
    'AppleCoreMedia/1.0.0.20K71 (Apple TV; U; CPU OS 16_1 like Mac OS X; en_us)',
  ])('%s: neither phone nor tablet nor desktop', (userAgent) => {
    expect(agentOf(userAgent).deviceType).toBe('Unknown');
  });
});

describe('people and bots', () => {
  it.each([
    `Mozilla/5.0 (Linux; Android 9; CUBOT_X19 Build/PPR1) ${WEBKIT} Chrome/110.0.0.0 Mobile Safari/537.36`,
    `Mozilla/5.0 (Linux; Android 7.0;CUBOT MAX) ${WEBKIT} Chrome/110.0.0.0 Mobile Safari/537.36`,
    `Mozilla/5.0 (Linux; Android 4.2.2; Discovery Build/JDQ39) ${WEBKIT} Chrome/30 Mobile Safari/537.36`,
    `Mozilla/5.0 (Linux; U; Android 4.4; en-us; DISCOVERY II Mini) ${WEBKIT} Version/4.0 Mobile Safari/534.30`,
    `Mozilla/5.0 (Linux; Android 11; RoboBot) ${WEBKIT} Chrome/110.0.0.0 Mobile Safari/537.36`,
    `Mozilla/5.0 (Linux; U; Android 9; zh-cn; MI 8) ${WEBKIT} Chrome/66 Mobile Safari/537.36 SogouMSE,SogouMobileBrowser/5.28.12`,
    `Mozilla/5.0 (iPhone; CPU iPhone OS 14_0 like Mac OS X) ${IOS_WEBKIT} SogouMobileBrowser/5.30.0 Mobile/15E148`,
    `Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) ${IOS_WEBKIT} Mobile/15E148 Newsday/7.0`,
    'Newsday/7.0 CFNetwork/1410.0.3 Darwin/22.6.0',
    `Mozilla/5.0 (Linux; Android 12; SM-A125F; wv) ${WEBKIT} Chrome/110 Mobile Safari/537.36 Zalo android/12110582 ZaloTheme/light`,
    'curl/8.5.0',
    'Wget/1.21',
    'HTTPie/3.2',
    'PostmanRuntime/7.36',
  ])('%s: a person', (userAgent) => {
    expect(agentOf(userAgent)).toMatchObject({ isBot: false, isPreview: false });
  });

  it.each([
    '',
    ' ',
    'okhttp/4.12.0',
    'Mozilla/5.0 (compatible; Yeti/1.1; +https://naver.me/spd)',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT.slice(0, -1)}; compatible; Yeti/1.1; +https://naver.me/spd) Chrome/106.0.5249.199 Safari/537.36`,
    'Yeti/1.1 (Naver Corp.; http://help.naver.com/robots/)',
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) ${WEBKIT} Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    `Mozilla/5.0 (Linux; Android 5.0) ${WEBKIT} Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)`,
    'Mozilla/5.0 (Linux; Android 7.0; compatible; ShopBot/1.0; +https://shop.example/bot)',
    'Mozilla/5.0 (compatible; SogouWebSpider/4.0; +http://www.sogou.com/docs/help/webmasters.htm#07)',
  ])('%s: a bot that shows no preview', (userAgent) => {
    expect(agentOf(userAgent)).toMatchObject({ isBot: true, isPreview: false });
  });

  it.each([
    'Quora Link Preview/1.0 (http://www.quora.com)',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.9; rv:28.0) Gecko/20100101 Firefox/28.0 (FlipboardProxy/1.2; +http://flipboard.com/browserproxy)',
    'Mozilla/5.0 (compatible; FlipboardRSS/1.2; +http://flipboard.com/browserproxy)',
    'Zalo/1.0',
  ])('%s: a bot that shows a preview', (userAgent) => {
    expect(agentOf(userAgent)).toMatchObject({ isBot: true, isPreview: true });
  });
});

describe('properties that decide the response', () => {
  it.each([
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Facebot',
    'Twitterbot/1.0',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Slack-ImgProxy (+https://api.slack.com/robots)',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    'WhatsApp/2.23.20.0 A',
    'TelegramBot (like TwitterBot)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'Mozilla/5.0 (compatible; Pinterestbot/1.0; +https://www.pinterest.com/bot.html)',
    'Pinterest/0.2 (+http://www.pinterest.com/)',
    'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
    'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
    'facebookexternalhit/1.1;line-poker/1.0',
    'facebookexternalhit/1.1 (compatible; Blueno/1.0; +http://naver.me/scrap)',
    'Viber/13.5.0.438 CFNetwork/1240.0.4',
    `${MAC} Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0`,
    'Mastodon/4.3.0 (http.rb/5.2.0; +https://mastodon.social/) Bot',
    'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)',
    'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
    'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/))',
    'Iframely/1.3.1 (+https://iframely.com/docs/about)',
    'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
    'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
  ])('%s shows previews', (userAgent) => {
    expect(agentOf(userAgent)).toMatchObject({ isPreview: true, isBot: true });
  });

  it.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    `${ANDROID} Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'Mozilla/5.0 (compatible; Yeti/1.1; +https://naver.me/spd)',
    'python-requests/2.32',
    'GPTBot/1.1',
    '',
  ])('%s is a bot that shows no previews', (userAgent) => {
    expect(agentOf(userAgent)).toMatchObject({ isPreview: false, isBot: true });
  });

  it.each([
    [`${IPHONE} Version/26.0 Mobile/15E148 Safari/604.1`, 'iOS', false],
    [`${IPHONE} CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1`, 'iOS', false],
    ['Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) Version/12.1 Mobile/15E148 Safari/604.1', 'iOS', false],
    [`${ANDROID} Mobile Safari/537.36`, 'Android', false],
    [`${ANDROID} Safari/537.36`, 'Android', false],
    ['Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0', 'Android', false],
    [`${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/440.0.0.29.111]`, 'iOS', true],
    [`${IPHONE} Mobile/15E148 Instagram 389.0.0.19.84 (iPhone15,2; iOS 18_6)`, 'iOS', true],
    [`${IPHONE} Mobile/15E148 Safari Line/14.9.0`, 'iOS', true],
    [`${IPHONE} Mobile/15E148 NAVER(inapp; search; 1000; 12.1.3)`, 'iOS', true],
    [`${IPHONE} Mobile/15E148 [Pinterest/iOS]`, 'iOS', true],
    [`${IPHONE} Mobile/15E148`, 'iOS', true],
    [
      `${ANDROID.replace('K)', 'SM-S911N; wv)')} Mobile Safari/537.36 KAKAOTALK/10.4.5 (INAPP)`,
      'Android',
      true,
    ],
    [`${ANDROID} Mobile Safari/537.36 Instagram 389.0.0.19.84 Android`, 'Android', true],
    [`${ANDROID} Mobile Safari/537.36 musical_ly_2023 BytedanceWebview/d8a21c6`, 'Android', true],
    [`${ANDROID} Mobile Safari/537.36 TwitterAndroid`, 'Android', true],
    ['Mozilla/5.0 (Linux; Android 12; BRAVIA 4K VH2 Build/x) Chrome/110 Safari/537.36', null, false],
    [`${MAC} Version/26.0 Safari/605.1.15`, null, false],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142 Safari/537.36',
      null,
      false,
    ],
    [
      'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Lumia 950) Chrome/52 Mobile Safari/537.36 Edge/15',
      null,
      false,
    ],
  ])('%s is a person on %s, in-app %s', (userAgent, platform, inApp) => {
    expect(agentOf(userAgent)).toMatchObject({ isPreview: false, isBot: false, platform, inApp });
  });
});

describe('the host of a referrer', () => {
  it.each([
    ['https://www.Shop.example.com/a?b', 'shop.example.com'],
    ['https://shop.example.com./', 'shop.example.com'],
    ['https://www./', 'Unknown'],
    ['nonsense', 'Unknown'],
    [null, 'Direct'],
  ])('of %s is %s', (referrer, host) => {
    expect(referrerHost(referrer)).toBe(host);
  });
});
