import type { Visitor } from '../clicks/visitor-facts';
import type { Decision } from './decision';
import { appIdOf, type Decidable, decide, destinationFor } from './decisions';

const NOW = 1_000_000;
const DESKTOP = { location: 'https://example.com/', utm: null };
const PHONE = { location: 'https://m.example.com/', utm: null };

const person: Visitor = {
  browser: 'Chrome',
  os: 'Mac OS',
  deviceType: 'Desktop',
  isPreview: false,
  isBot: false,
  platform: null,
  inApp: false,
};
const bot: Visitor = { ...person, isBot: true };
const preview: Visitor = { ...bot, isPreview: true };
const iphone: Visitor = { ...person, platform: 'iOS' };
const android: Visitor = { ...person, platform: 'Android' };

const plain: Decidable = {
  expiresAt: null,
  ogTitle: null,
  ogDescription: null,
  ogImageUrl: null,
  iosAppId: null,
  androidAppId: null,
  showAdPage: false,
  destination: DESKTOP,
  mobileDestination: null,
};
const everything: Decidable = {
  ...plain,
  ogTitle: 'Title',
  iosAppId: 1,
  androidAppId: 2,
  showAdPage: true,
  mobileDestination: PHONE,
};

const early = { startsAt: NOW + 1, notStartedUrl: 'https://soon.example/' };

describe('decide', () => {
  it.each<[string, Decidable | null, Visitor, Decision]>([
    ['no link', null, person, 'NOT_FOUND'],
    ['no link, to a crawler', null, preview, 'NOT_FOUND'],
    ['a moment before the expiry', { ...plain, expiresAt: NOW + 1 }, person, 'REDIRECT'],
    ['at the expiry', { ...plain, expiresAt: NOW }, person, 'EXPIRED'],
    ['expired, to a crawler', { ...everything, expiresAt: NOW }, preview, 'EXPIRED'],
    ['expired, to a phone', { ...everything, expiresAt: 1 }, iphone, 'EXPIRED'],
    ['switched off', { ...plain, enabled: false }, person, 'NOT_FOUND'],
    ['switched off and disabled', { ...plain, enabled: false, disabled: true }, person, 'DISABLED'],
    ['switched off and expired', { ...plain, enabled: false, expiresAt: 1 }, preview, 'NOT_FOUND'],
    ['a moment before the start', { ...plain, startsAt: NOW + 1 }, person, 'NOT_FOUND'],
    ['at the start', { ...plain, startsAt: NOW }, person, 'REDIRECT'],
    ['before the start, with a URL', { ...everything, ...early }, iphone, 'NOT_STARTED'],
    ['before the start, to a crawler', { ...everything, ...early }, preview, 'NOT_STARTED'],
    ['switched off before the start', { ...plain, ...early, enabled: false }, person, 'NOT_FOUND'],
    ['disabled before the start', { ...plain, ...early, disabled: true }, person, 'DISABLED'],
    ['a preview before everything else', everything, preview, 'PREVIEW'],
    ['a preview of a title', { ...plain, ogTitle: 'a' }, preview, 'PREVIEW'],
    ['a preview of a description', { ...plain, ogDescription: 'a' }, preview, 'PREVIEW'],
    ['a preview of an image', { ...plain, ogImageUrl: 'https://a.example/' }, preview, 'PREVIEW'],
    ['a crawler with nothing to show', { ...plain, showAdPage: true }, preview, 'REDIRECT'],
    ['a bot despite og fields, ad page and app', everything, bot, 'REDIRECT'],
    ['a bot on a phone', everything, { ...bot, platform: 'Android' }, 'REDIRECT'],
    ['an app before the ad page', everything, iphone, 'APP'],
    ['an app on Android', everything, android, 'APP'],
    ['an app in an in-app browser', everything, { ...iphone, inApp: true }, 'APP'],
    ['an Android app on an iPhone', { ...plain, androidAppId: 2 }, iphone, 'REDIRECT'],
    ['an iOS app on Android', { ...plain, iosAppId: 1 }, android, 'REDIRECT'],
    ['the ad page of a desktop', everything, person, 'AD'],
    ['the ad page of a phone without app', { ...everything, iosAppId: null }, iphone, 'AD'],
    ['a plain link', plain, person, 'REDIRECT'],
    ['a plain link on a phone', plain, iphone, 'REDIRECT'],
    ['og fields to a person', { ...plain, ogTitle: 'a' }, person, 'REDIRECT'],
  ])('%s', (_name, trackedLink, visitor, expected) => {
    expect(decide(trackedLink, visitor, NOW)).toBe(expected);
  });

  it('follows the order of docs/concepts/redirects.md#decision-order in every combination', () => {
    const both = [false, true];
    const lives = Array.from({ length: 32 }, (_, bits) => ({
      disabled: (bits & 1) > 0,
      off: (bits & 2) > 0,
      unstarted: (bits & 4) > 0,
      soon: (bits & 8) > 0,
      expired: (bits & 16) > 0,
    }));
    let cases = 0;
    for (const visitor of [person, bot, preview])
      for (const platform of ['iOS', 'Android', null] as const)
        for (const { disabled, off, unstarted, soon, expired } of lives)
          for (const og of both)
            for (const ios of both)
              for (const androidApp of both)
                for (const showAdPage of both)
                  for (const mobile of both) {
                    const trackedLink: Decidable = {
                      ...plain,
                      ...(disabled && { disabled: true }),
                      ...(off && { enabled: false }),
                      ...(unstarted && { startsAt: NOW + 1 }),
                      ...(soon && { notStartedUrl: early.notStartedUrl }),
                      expiresAt: expired ? NOW : null,
                      ogTitle: og ? 'Title' : null,
                      iosAppId: ios ? 1 : null,
                      androidAppId: androidApp ? 2 : null,
                      showAdPage,
                      mobileDestination: mobile ? PHONE : null,
                    };
                    const who = { ...visitor, platform };
                    const hasApp = (platform === 'iOS' && ios) || (platform === 'Android' && androidApp);
                    const order: [boolean, Decision][] = [
                      [disabled, 'DISABLED'],
                      [off, 'NOT_FOUND'],
                      [unstarted, soon ? 'NOT_STARTED' : 'NOT_FOUND'],
                      [expired, 'EXPIRED'],
                      [visitor === preview && og, 'PREVIEW'],
                      [visitor !== person, 'REDIRECT'],
                      [hasApp, 'APP'],
                      [showAdPage, 'AD'],
                      [true, 'REDIRECT'],
                    ];
                    expect(decide(trackedLink, who, NOW)).toBe(order.find(([holds]) => holds)?.[1]);
                    const toPhone = mobile && platform !== null && visitor === person;
                    expect(destinationFor(trackedLink, who)).toBe(toPhone ? PHONE : DESKTOP);
                    cases++;
                  }
    expect(cases).toBe(9 * 32 * 32);
  });

  it('chooses the app of the visitor’s platform', () => {
    expect(appIdOf(everything, iphone)).toBe(1);
    expect(appIdOf(everything, android)).toBe(2);
    expect(appIdOf(everything, person)).toBeNull();
  });
});
