import { deviceOf, type DeviceReport } from './device';
import { type Candidate, chooseClick, type Choice } from './fingerprint-choice';

const AT = Date.parse('2030-03-01T12:00:00Z');
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1';
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36';

/** A phone with complete reports by page and app. */
const GALAXY = {
  userAgent: ANDROID,
  osVersion: '16.0.0',
  deviceModel: 'SM-S928B',
  resolution: '384x832',
  language: 'ko-KR',
};
const APP = {
  ...GALAXY,
  userAgent: 'okhttp/5.1.0',
  platform: 'Android',
  osVersion: '16',
  resolution: '1440x3120',
} as const;

const click = (page: DeviceReport, visitor = JSON.stringify(page), clickedAt = AT): Candidate => ({
  visitor,
  clickedAt,
  device: deviceOf(page),
});
const choose = (pages: readonly DeviceReport[], app: DeviceReport = APP): Choice<Candidate> =>
  chooseClick(
    pages.map((page) => click(page)),
    deviceOf(app),
  );
const confidence = (page: DeviceReport, app: DeviceReport = APP) => {
  const choice = choose([page], app);
  return 'reason' in choice ? choice.reason : choice.confidence;
};

describe('the weight of', () => {
  it.each([
    ['everything', {}, 1],
    ['the system', { userAgent: IPHONE, resolution: '1440x3120' }, 0.6],
    ['its version', { osVersion: '15' }, 0.6],
    ['the model', { deviceModel: 'SM-S911N' }, 0.8],
    ['the screen', { resolution: '360x800' }, 0.7],
    ['the language', { language: 'ja-JP' }, 0.9],
    ['model and language', { deviceModel: 'SM-S911N', language: 'ja-JP' }, 0.7],
    ['screen and language', { resolution: '360x800', language: 'ja-JP' }, 0.6],
    ['system and language', { osVersion: '15', language: 'ja-JP' }, 'LOW_CONFIDENCE'],
    ['model and screen', { deviceModel: 'SM-S911N', resolution: '360x800' }, 'LOW_CONFIDENCE'],
  ])('%s', (_name, difference, expected) => {
    expect(
      confidence({ ...GALAXY, ...difference, ...('userAgent' in difference && { osVersion: '16' }) }),
    ).toBe(expected);
  });
});

describe('a feature', () => {
  it('that neither side knows is ignored', () => {
    const page = { userAgent: IPHONE, resolution: '402x874' };
    expect(confidence(page, { userAgent: IPHONE, resolution: '402x874' })).toBe(1);
    expect(confidence({ userAgent: IPHONE }, { userAgent: IPHONE })).toBe(1);
    const bare = { userAgent: ANDROID, resolution: '384x832' };
    expect(confidence(bare, { userAgent: ANDROID, resolution: '384x832' })).toBe(1);
    expect(confidence({ userAgent: '' }, { userAgent: 'x' })).toBe('LOW_CONFIDENCE');
  });

  it('that only one side knows counts against the match', () => {
    const page = { userAgent: IPHONE, resolution: '402x874', language: 'ko-KR' };
    const app = { userAgent: 'Shop/1', platform: 'iOS', osVersion: '26.1' } as const;
    expect(confidence(page, { ...app, resolution: '1206x2622' })).toBe(0.875);
    expect(confidence(page, { ...app, resolution: '1206x2622', deviceModel: 'iPhone18,1' })).toBe(0.7);
    expect(confidence(page, app)).toBe('LOW_CONFIDENCE');
    // The page knows the operating system but not its version.
    expect(confidence({ ...GALAXY, osVersion: null, deviceModel: null })).toBe(0.6);
  });
});

describe('screens', () => {
  const app = (resolution: string, platform: 'iOS' | 'Android') => ({ userAgent: 'x', platform, resolution });
  const iphone = (resolution: string) => ({ userAgent: IPHONE, resolution });
  const android = (resolution: string) => ({ userAgent: ANDROID, resolution });
  it.each([
    ['as it is', iphone('393x852'), app('393x852', 'iOS'), true],
    ['in pixels', iphone('393x852'), app('1179x2556', 'iOS'), true],
    ['turned', iphone('393x852'), app('2556x1179', 'iOS'), true],
    ['of a larger phone', iphone('430x932'), app('1179x2556', 'iOS'), false],
    ['in pixels of Android', android('411x914'), app('1080x2400', 'Android'), true],
    ['turned', android('411x914'), app('2400x1080', 'Android'), true],
    ['of another aspect ratio', android('411x914'), app('1080x2340', 'Android'), false],
    [
      'of the same aspect ratio, but too large for CSS pixels',
      android('720x1600'),
      app('1440x3200', 'Android'),
      false,
    ],
    ['of the same aspect ratio, but too small', android('360x800'), app('450x1000', 'Android'), false],
    ['smaller than the page’s', android('411x914'), app('360x800', 'Android'), false],
  ])('%s', (_name, page, report, same) => {
    const versions = { osVersion: '26.1' };
    const score = confidence({ ...page, ...versions }, { ...report, ...versions });
    expect(score).toBe(same ? 1 : 'LOW_CONFIDENCE');
  });
});

describe('several visitors behind one address', () => {
  it('are distinguished', () => {
    const galaxies = [{ ...GALAXY, osVersion: '15' }, GALAXY, { ...GALAXY, deviceModel: 'SM-A546S' }];
    const choice = choose([...galaxies, { userAgent: IPHONE, resolution: '402x874' }]);
    expect(choice).toMatchObject({ candidate: click(GALAXY), confidence: 1 });
  });

  it('are ambiguous when their scores differ by at most 0.1', () => {
    const language = { ...GALAXY, language: 'ja-JP' };
    expect(choose([GALAXY, language])).toEqual({ reason: 'AMBIGUOUS' });
    expect(choose([GALAXY, { ...GALAXY, userAgent: `${ANDROID} Other` }])).toEqual({ reason: 'AMBIGUOUS' });
    // The scores are 0.875 and 0.75.
    const iphone = { userAgent: IPHONE, resolution: '402x874', language: 'ko-KR' };
    const app = {
      userAgent: 'x',
      platform: 'iOS',
      osVersion: '26.1',
      resolution: '402x874',
      language: 'ko-KR',
    } as const;
    expect(choose([iphone, { ...iphone, language: 'en-US' }], app)).toMatchObject({ confidence: 1 });
  });

  it('are ambiguous when one whose page knew less is not ruled out', () => {
    const hidden = { ...GALAXY, osVersion: null, deviceModel: null };
    expect(choose([GALAXY, hidden])).toEqual({ reason: 'AMBIGUOUS' });
    expect(choose([GALAXY, { ...hidden, resolution: '360x800' }])).toMatchObject({ confidence: 1 });
    expect(choose([GALAXY, { userAgent: ANDROID }])).toMatchObject({ confidence: 1 });
  });

  it('need more similarity than a single visitor', () => {
    const other = { ...GALAXY, deviceModel: 'SM-S911N' };
    expect(choose([other])).toMatchObject({ confidence: 0.8 });
    expect(choose([other, { userAgent: IPHONE }])).toEqual({ reason: 'LOW_CONFIDENCE' });
    expect(choose([{ ...GALAXY, language: 'ja-JP' }, { userAgent: IPHONE }])).toMatchObject({
      confidence: 0.9,
    });
  });

  it('include an iPhone of another minor version', () => {
    const iphone = { userAgent: IPHONE, resolution: '402x874' };
    const app = { userAgent: 'x', platform: 'iOS', osVersion: '26.2', resolution: '402x874' } as const;
    expect(choose([iphone], app)).toMatchObject({ confidence: 1 });
    expect(choose([iphone, { userAgent: ANDROID }], app)).toEqual({ reason: 'LOW_CONFIDENCE' });
  });
});

it('a repeated click wins over the earlier one', () => {
  const clicks = [AT, AT + 2, AT + 1].map((at) => click(GALAXY, 'same', at));
  expect(chooseClick(clicks, deviceOf(APP))).toMatchObject({ candidate: { clickedAt: AT + 2 } });
  const phones = [click(GALAXY, 'one', AT), click(GALAXY, 'other', AT + 1)];
  expect(chooseClick(phones, deviceOf(APP))).toEqual({ reason: 'AMBIGUOUS' });
  expect(chooseClick([], deviceOf(APP))).toEqual({ reason: 'NO_CANDIDATE' });
});
