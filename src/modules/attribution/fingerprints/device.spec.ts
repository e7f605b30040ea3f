import { type Device, deviceOf, type DeviceReport } from './device';

const SAFARI = (os: string, version: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${os} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${version}Mobile/15E148 Safari/604.1`;
const CHROME = (platform: string) =>
  `Mozilla/5.0 (Linux; ${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36`;

describe('deviceOf', () => {
  const system = (report: DeviceReport): Partial<Device> => {
    const { os, major, minor, model } = deviceOf(report);
    return { os, major, minor, model };
  };
  const ios = { os: 'iOS', model: null };
  const unknown = { os: null, major: null, minor: null, model: null };

  it.each([
    ['Safari on iOS 26, frozen', SAFARI('18_6', 'Version/26.1 '), { ...ios, major: 26, minor: 1 }],
    ['the same, frozen later', SAFARI('18_7', 'Version/26.0.1 '), { ...ios, major: 26, minor: 0 }],
    ['Safari on iOS 18', SAFARI('18_6_2', 'Version/18.6 '), { ...ios, major: 18, minor: 6 }],
    ['a browser without a Version', SAFARI('18_6', ''), { ...ios, major: null, minor: null }],
    ['the same, before the freeze', SAFARI('17_5_1', 'CriOS/142.0.7 '), { ...ios, major: 17, minor: 5 }],
    ['Chrome, reduced', CHROME('Android 10; K'), { os: 'Android', major: null, minor: null, model: null }],
    [
      'a web view',
      CHROME('Android 14; SM-S928B Build/UP1A.231005.007; wv'),
      { os: 'Android', major: 14, minor: null, model: 'sm-s928b' },
    ],
    [
      'Firefox',
      'Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0',
      { os: 'Android', major: 15, minor: null, model: null },
    ],
    [
      'an app',
      'Dalvik/2.1.0 (Linux; U; Android 16; Pixel 9 Build/BP2A.250605.031)',
      { os: 'Android', major: 16, minor: null, model: 'pixel 9' },
    ],
    [
      'an old browser',
      CHROME('U; Android 4.4.2; ko-kr; SM-G900S'),
      { os: 'Android', major: 4, model: 'sm-g900s' },
    ],
    ['a library', 'okhttp/5.1.0', unknown],
    ['nothing', '', unknown],
    ['Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)', unknown],
  ])('reads %s', (_name, userAgent, expected) => {
    expect(system({ userAgent })).toMatchObject(expected);
  });

  it('prefers client hints to the user agent', () => {
    const userAgent = CHROME('Android 10; K');
    const hints = { userAgent, osVersion: '16.0.0', deviceModel: 'SM-S928B' };
    expect(system(hints)).toEqual({ os: 'Android', major: 16, minor: null, model: 'sm-s928b' });
    const app = { userAgent: SAFARI('18_6', ''), osVersion: 'iOS 26.2.1' };
    expect(system(app)).toEqual({ ...ios, major: 26, minor: 2 });
    expect(system({ ...app, osVersion: 'x', deviceModel: 'iPhone' })).toEqual({
      ...ios,
      major: null,
      minor: null,
    });
  });

  it('takes an app’s own platform when its user agent is that of a library', () => {
    const report = { userAgent: 'Shop/4 CFNetwork/3826 Darwin/25.0.0', osVersion: '26.1' };
    expect(system({ ...report, platform: 'iOS' })).toEqual({ ...ios, major: 26, minor: 1 });
    expect(deviceOf({ userAgent: CHROME('Android 14; X'), platform: 'iOS' }).os).toBe('Android');
  });

  it.each([
    ['1179x2556', { short: 1179, long: 2556 }],
    ['2556×1179', { short: 1179, long: 2556 }],
    [' 390 X 844 ', { short: 390, long: 844 }],
    ['390', null],
    ['1x1', null],
    ['9'.repeat(40), null],
    ['', null],
    [null, null],
  ])('reads the screen %j', (resolution, screen) => {
    expect(deviceOf({ userAgent: '', resolution }).screen).toEqual(screen);
  });

  it.each([
    ['ko-KR', { code: 'ko', region: 'kr' }],
    ['ko_KR', { code: 'ko', region: 'kr' }],
    ['zh-Hans-CN', { code: 'zh', region: 'cn' }],
    ['es-419', { code: 'es', region: '419' }],
    ['fil', { code: 'fil', region: null }],
    ['C', null],
    ['', null],
    [null, null],
  ])('reads the language %j', (language, expected) => {
    expect(deviceOf({ userAgent: '', language }).language).toEqual(expected);
  });

  it('takes little CPU for hostile input', () => {
    const started = process.cpuUsage();
    for (const text of [
      '(iPhone'.repeat(300),
      '(Android '.repeat(250),
      `(${'Android;'.repeat(250)}`,
      '1_'.repeat(1_000),
    ]) {
      deviceOf({ userAgent: text, osVersion: text, deviceModel: text, resolution: text, language: text });
    }
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(1_000);
  });
});
