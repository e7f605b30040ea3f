import { type PhoneNumber, PhoneNumberFormat, PhoneNumberType, PhoneNumberUtil } from 'google-libphonenumber';
import { normalizeChannelValue } from './channel-value';
import { normalizeEmail } from './email';
import { normalizePhone } from './phone';

const google = PhoneNumberUtil.getInstance();
const REGIONS = google.getSupportedRegions();
const TYPES = [
  PhoneNumberType.MOBILE,
  PhoneNumberType.FIXED_LINE,
  PhoneNumberType.TOLL_FREE,
  PhoneNumberType.VOIP,
];

/**
 * Two of the library's examples that newer numbering plans dropped: an 8-digit number of Benin, and one of
 * Mutare.
 */
const NO_LONGER = ['+22985751234', '+2631312345'];

/** The independent library's result: E.164 of an existing number, else null. */
function byGoogle(text: string, region: string): string | null {
  try {
    const number = google.parse(text, region);
    return google.isValidNumber(number) ? google.format(number, PhoneNumberFormat.E164) : null;
  } catch {
    return null;
  }
}

function isOfToday(number: PhoneNumber | null): number is PhoneNumber {
  if (!number || !google.isValidNumber(number)) return false;
  return !NO_LONGER.includes(google.format(number, PhoneNumberFormat.E164));
}

const FULL_WIDTH = (text: string) =>
  text.replace(/[+0-9]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));
const ARABIC_INDIC = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));

/** Ways in which people write a number. */
function writtenForms(number: PhoneNumber): string[] {
  const e164 = google.format(number, PhoneNumberFormat.E164);
  const international = google.format(number, PhoneNumberFormat.INTERNATIONAL);
  const national = google.format(number, PhoneNumberFormat.NATIONAL);
  return [
    e164,
    international,
    national,
    ` ${national} `,
    national.replaceAll(/\D/g, ''),
    national.replaceAll(/[\s-]/g, '.'),
    international.replaceAll(/[\s-]/g, ' - '),
    international.replaceAll(/[\s-]/g, '\u00a0'),
    google.format(number, PhoneNumberFormat.RFC3966),
    FULL_WIDTH(e164),
    ARABIC_INDIC(national),
    e164.slice(0, -3),
    `${e164}0000000`,
    national.slice(0, 3),
    `${national}5`,
  ];
}

describe('Phone numbers', () => {
  it('agree with an independent library, in every region and many notations', () => {
    const different: string[] = [];
    let [compared, accepted, refused] = [0, 0, 0];
    for (const region of REGIONS) {
      const examples = TYPES.map((type) => google.getExampleNumberForType(region, type));
      for (const text of examples.flatMap((number) => (isOfToday(number) ? writtenForms(number) : []))) {
        const { value } = normalizePhone(text, region);
        const expected = byGoogle(text, region);
        compared++;
        if (expected === null) refused++;
        else accepted++;
        if (value !== expected) different.push(`${region} ${text}: ${value} instead of ${expected}`);
      }
    }
    expect(different).toEqual([]);
    expect(REGIONS.length).toBeGreaterThan(200);
    expect(compared).toBeGreaterThan(5000);
    expect(accepted).toBeGreaterThan(3000);
    expect(refused).toBeGreaterThan(1000);
  });

  it.each([
    ['010-2345-6789', 'KR', '+821023456789'],
    ['+82 (0)10 2345 6789', 'KR', '+821023456789'],
    ['0082-10-2345-6789', 'DE', '+821023456789'],
    ['(213) 373-4253', 'US', '+12133734253'],
    ['+1 213 373 4253 ext. 12', 'US', '+12133734253'],
    ['+44 20 7183 8750', 'AQ', '+442071838750'],
    ['TEL:+82-10-2345-6789', 'US', '+821023456789'],
    ['\u202d+82 10 2345 6789\u202c', 'US', '+821023456789'],
    ['\u2066010-2345-6789\u2069', 'KR', '+821023456789'],
    ['\u200e010\u200b2345\u200d6789\ufeff', 'KR', '+821023456789'],
    ['+82\u202f10\u20072345\u00ad6789\u2060', 'US', '+821023456789'],
    ['\u3000010\u20092345\t6789\u2028', 'KR', '+821023456789'],
    ['sms:+821023456789', 'US', '+821023456789'],
    ['\u034f\u3164010-2345-6789\u2800\ufffc', 'KR', '+821023456789'],
    ['（＋82）10 2345 6789', 'US', '+821023456789'],
    ["'01023456789", 'KR', '+821023456789'],
    ['="01023456789"', 'KR', '+821023456789'],
    ['1023456789.0', 'KR', '+821023456789'],
    ['010-2345-6789;', 'KR', '+821023456789'],
    [`${'\u202a'.repeat(100)}010-2345-6789`, 'KR', '+821023456789'],
  ])('%s of %s is %s', (text, region, e164) => {
    expect(normalizePhone(text, region)).toEqual({ value: e164, problem: null });
  });

  it.each([
    '12',
    'phone',
    '+821',
    '+0821023456789',
    '+999 123 456 789',
    'call 010-2345-6789',
    '010-2345-6789 or 010-2345-6780',
    '010-2345-678a',
    '++821023456789',
    '+82 10 2345 6789\u0000',
    '\ud800',
    '1'.repeat(101),
    '0'.repeat(5000),
    '<script>',
  ])('rejects %j', (text) => {
    expect(normalizePhone(text, 'KR')).toEqual({ value: null, problem: 'PHONE_FORMAT' });
  });

  it.each(['20 7183 8750', '010-2345-6789'])(
    'rejects the national number %s in a region without a numbering plan',
    (text) => {
      expect(normalizePhone(text, 'AQ').problem).toBe('PHONE_FORMAT');
    },
  );

  it.each(['', '  \t', '\u202d\u200b\ufeff', null, undefined, 821023456789, ['+821023456789'], {}])(
    '%j is missing',
    (value) => {
      expect(normalizePhone(value, 'KR')).toEqual({ value: null, problem: 'VALUE_REQUIRED' });
      expect(normalizeEmail(value)).toEqual({ value: null, problem: 'VALUE_REQUIRED' });
    },
  );
});

describe('E-mail addresses', () => {
  it.each([
    ['Kim.Minji@Example.COM', 'kim.minji@example.com'],
    [' a@b.co ', 'a@b.co'],
    ['\u202da@b.co\u202c', 'a@b.co'],
    ['\ufeffk\u00adim@\u200bshop.exam\u2060ple\u00a0', 'kim@shop.example'],
    ['mailto:kim@shop.example', 'kim@shop.example'],
    ['ｋｉｍ＠shop.example', 'kim@shop.example'],
    ["'kim@shop.example", 'kim@shop.example'],
    ['="kim@shop.example"', 'kim@shop.example'],
    ['kim@shop.example, ', 'kim@shop.example'],
    ['\u3164kim@shop.example.', 'kim@shop.example'],
    ['first+tag@sub.example.co.kr', 'first+tag@sub.example.co.kr'],
    ["o'brien_x-1@ex-ample.org", "o'brien_x-1@ex-ample.org"],
    ['Kim@MÜNZE.example', 'kim@xn--mnze-0ra.example'],
    ['김민지@example.com', '김민지@example.com'],
    ['Jose\u0301@example.com', 'josé@example.com'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('%s is %s', (text, address) => {
    expect(normalizeEmail(text)).toEqual({ value: address, problem: null });
    expect(normalizeEmail(address).value).toBe(address);
  });

  it.each([
    'kim',
    '@example.com',
    'kim@',
    'kim@localhost',
    'kim@example..com',
    'kim@-example.com',
    'kim@example-.com',
    'kim@1.2.3.4',
    'kim@[1.2.3.4]',
    'kim@example.com/path',
    'kim@example.com:25',
    'kim@example.c%6fm',
    '.kim@example.com',
    'kim.@example.com',
    'ki..m@example.com',
    'ki m@example.com',
    'Kim <kim@example.com>',
    'a@example.com,b@example.com',
    'a@b@example.com',
    'kim\u0000@example.com',
    'kim\ud800@example.com',
    `${'a'.repeat(65)}@example.com`,
    `kim@${'a'.repeat(64)}.com`,
    `${'a'.repeat(64)}@${'b.'.repeat(95)}com`,
    `kim@${'ü'.repeat(100_000)}.com`,
  ])('rejects %j', (text) => {
    expect(normalizeEmail(text)).toEqual({ value: null, problem: 'EMAIL_FORMAT' });
  });
});

describe('The value of a channel', () => {
  it('is a phone number for SMS and WHATSAPP, an address for EMAIL', () => {
    expect(normalizeChannelValue('SMS', '010-2345-6789', 'KR').value).toBe('+821023456789');
    expect(normalizeChannelValue('WHATSAPP', '010-2345-6789', 'KR').value).toBe('+821023456789');
    expect(normalizeChannelValue('EMAIL', 'A@Example.com', 'KR').value).toBe('a@example.com');
    expect(normalizeChannelValue('EMAIL', '010-2345-6789', 'KR').problem).toBe('EMAIL_FORMAT');
    expect(normalizeChannelValue('SMS', 'a@example.com', 'KR').problem).toBe('PHONE_FORMAT');
  });
});
