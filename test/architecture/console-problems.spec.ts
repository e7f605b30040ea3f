import { readFileSync } from 'node:fs';
import { KOREAN_CODES, KOREAN_FIELDS, KOREAN_WORDS } from '../../console/src/texts/problems-ko';
import { koreanError, koreanMessage, koreanProblem } from '../../console/src/texts/problems';
import { ERROR_CODE_NAMES, errorTerms } from '../../src/common/errors/error-codes';
import { ADD_ONS } from '../../src/access/caller';
import { filesBelow } from '../support/files-below';

const HANGUL = /[가-힣]/;
/** Codes such as DYNAMIC_SEGMENT. */
const RAW_CODE = /[A-Z]{2,}_[A-Z]/;
/** Problems are worded to follow the name of a field, and begin like this. */
const PROBLEM = /^(?:must|is|are|cannot|has|already|contains|exceeds|not found)\b/;
/** Texts with such a start that no client gets, in the OpenAPI document and in segments. */
const OTHERS =
  /\.$|\. |^(?:is one of|contains|is reported as .*|are sums of|is \$?not? read.*|has|is|must|are|cannot|is empty|must be \$\{DATE\})$|OG_FETCH/;
/** Files whose messages are written for operators. */
const ELSEWHERE =
  /\.spec\.ts$|src\/(?:config|demo|openapi|infrastructure)|\/browser\/|error-response|operations/;

describe('problems in the Korean console', () => {
  it.each(ERROR_CODE_NAMES)('have a text for %s', (code) => {
    const { status, message, extras } = errorTerms(code);
    const text = koreanError({ status, code, message, error: '', timestamp: '', ...extras });
    expect(KOREAN_CODES[code]).toMatch(HANGUL);
    expect(text).toMatch(HANGUL);
    expect(text).not.toMatch(RAW_CODE);
    expect(text).not.toMatch(/\b(?:must|is|undefined)\b|[{}]/);
  });

  // Add a missing problem to console/src/texts/problems-ko.ts.
  it('have a text for each problem that the service finds in a field', () => {
    const problems = filesBelow('.', 'src')
      .filter((path) => path.endsWith('.ts') && !ELSEWHERE.test(path))
      .flatMap((path) => literalsOf(readFileSync(path, 'utf8')));
    expect(problems.length).toBeGreaterThan(150);
    const unknown = problems.filter((problem) => !HANGUL.test(koreanProblem(problem) ?? ''));
    expect([...new Set(unknown)]).toEqual([]);
  });

  it('have words for each action of the audit log', () => {
    const texts = readFileSync('console/src/pages/settings/audit-texts.ts', 'utf8');
    const actions = filesBelow('.', 'src')
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
      .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/action: '([a-z_]+)\.([a-z_]+)'/g)]);
    expect(actions.length).toBeGreaterThan(15);
    const unknown = actions.filter(
      ([, resource = '', verb = '']) =>
        !texts.includes(`resource_${resource}: `) || !texts.includes(`verb_${verb}: `),
    );
    expect(unknown.map(([action]) => action)).toEqual([]);
  });

  it('name add-ons and fields in words', () => {
    expect(ADD_ONS.filter((addOn) => !HANGUL.test(KOREAN_WORDS[addOn] ?? ''))).toEqual([]);
    expect(Object.entries(KOREAN_FIELDS).filter(([, name]) => !HANGUL.test(name))).toEqual([]);
  });

  it.each([
    ['must be at least 4 characters long', '4자 이상이어야 합니다'],
    ['must be an integer from 1 to 9007199254740991', '1~9007199254740991 사이의 정수여야 합니다'],
    ['must be a date such as 2026-11-20, or 2026-11-20T08:32:00', '2026-11-20 같은 날짜여야 합니다'],
    ['item 3 must be at most 50 characters long', '3번째 항목: 50자 이하여야 합니다'],
  ])('put "%s" as "%s"', (english, korean) => expect(koreanProblem(english)).toBe(korean));

  it.each([
    ['customAlias: is already taken on this domain', '별칭: 이 도메인에서 이미 쓰고 있습니다'],
    [
      'title: must be at most 200 characters long; password: must not be empty',
      '제목: 200자 이하여야 합니다 / 비밀번호: 비워 둘 수 없습니다',
    ],
    ['line 3: has a quote that is never closed', '3행: 닫히지 않은 따옴표가 있습니다'],
    ['something that a later version says', KOREAN_CODES.VALIDATION_FAILED],
  ])('put "%s" of a row as "%s"', (english, korean) => expect(koreanMessage(english)).toBe(korean));
});

/** Problems in a source file, with 7 for each placeholder. */
function literalsOf(source: string): string[] {
  return [...source.matchAll(/'((?:[^'\\\n]|\\.)*)'|`([^`\n]*)`/g)]
    .map(([, plain = '', template = '']) => plain || template)
    .filter((text) => PROBLEM.test(text) && !OTHERS.test(text))
    .map((text) =>
      text.replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, (part) => (/problem/i.test(part) ? 'is required' : '7')),
    );
}
