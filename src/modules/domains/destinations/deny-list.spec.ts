import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { InvalidConfiguration } from '../../../config/invalid-configuration';
import { DenyList } from './deny-list';

const DENIED = 'must not point to a host on the deny-list';

describe('DenyList', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deny-list-'));
  const file = join(folder, 'hosts.txt');
  // Silences the warnings about the invalid files below.
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => rmSync(folder, { recursive: true }));

  const problem = async (list: DenyList, url: string) => list.problemOf(new URL(url));

  it.each([
    ['https://bad.example/', DENIED],
    ['https://BAD.example./x', DENIED],
    ['https://deep.sub.bad.example/', DENIED],
    ['https://wild.example/', DENIED],
    ['https://a.wild.example/', DENIED],
    ['https://xn--bcher-kva.example/', DENIED],
    ['https://bücher.example/', DENIED],
    ['https://203.0.113.9/', DENIED],
    ['https://notbad.example/', null],
    ['https://example/', null],
    ['https://bad.example.org/', null],
    ['https://commented.example/', null],
  ])('returns for %s: %s', async (url, expected) => {
    writeFileSync(
      file,
      '# hosts\r\nBad.Example\r\n\n  *.wild.example  # all of it\nbücher.example\n203.0.113.9\n# commented.example\n',
    );
    expect(await problem(await DenyList.open(file), url)).toBe(expected);
  });

  it('reloads the file when it changes, and keeps the last valid list while it is invalid or missing', async () => {
    writeFileSync(file, 'one.example\n');
    const list = await DenyList.open(file);
    writeFileSync(`${file}.new`, 'two.example\n');
    renameSync(`${file}.new`, file);
    expect(await problem(list, 'https://one.example/')).toBeNull();
    expect(await problem(list, 'https://two.example/')).toBe(DENIED);
    writeFileSync(file, 'not a host\n');
    expect(await problem(list, 'https://two.example/')).toBe(DENIED);
    rmSync(file);
    expect(await problem(list, 'https://two.example/')).toBe(DENIED);
    writeFileSync(file, 'three.example\n');
    expect(await problem(list, 'https://two.example/')).toBeNull();
    expect(await problem(list, 'https://three.example/')).toBe(DENIED);
  });

  it.each([
    'missing',
    'https://example.com\n',
    'ok.example\nnot a host\n',
    'user@example.com\n',
    'example.com:443\n',
  ])('stops the start if the file is %j, naming the setting', async (content) => {
    rmSync(file, { force: true });
    if (content !== 'missing') writeFileSync(file, content);
    const opening = DenyList.open(file);
    await expect(opening).rejects.toBeInstanceOf(InvalidConfiguration);
    await expect(opening).rejects.toThrow(/^DESTINATION_DENY_LIST: /);
  });
});
