import { visitorOf } from './visitor';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko)';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';

describe('who asks for a link', () => {
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
    expect(visitorOf(userAgent)).toMatchObject({ isPreview: true, isBot: true });
  });

  it.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    `${ANDROID} Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'Mozilla/5.0 (compatible; Yeti/1.1; +https://naver.me/spd)',
    'python-requests/2.32',
    'GPTBot/1.1',
    '',
  ])('%s is a bot that shows none', (userAgent) => {
    expect(visitorOf(userAgent)).toMatchObject({ isPreview: false, isBot: true });
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
    expect(visitorOf(userAgent)).toEqual({ isPreview: false, isBot: false, platform, inApp });
  });
});
