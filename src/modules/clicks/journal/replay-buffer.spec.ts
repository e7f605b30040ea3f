import { ReplayBuffer } from './replay-buffer';

const KEEP_MS = 1_000;
const LINE = 'x'.repeat(99_999);

describe('ReplayBuffer', () => {
  let lines: ReplayBuffer;
  beforeEach(() => (lines = new ReplayBuffer(KEEP_MS)));

  const send = (text: string, now: number) => {
    const bytes = lines.write(text, now);
    lines.sent(bytes, now);
    return bytes;
  };
  /** Lines that are resent after the store was lost at that time. */
  const again = (now: number) => {
    lines.hold(now);
    return lines.replay().flatMap((bytes) => {
      lines.sent(bytes, now);
      return bytes.toString().split('\n');
    });
  };

  it('encodes each text as UTF-8', () => {
    const texts = ['one', 'zwei und zwölf', '셋 🙂', '\u0000', '\ud800'];
    const written = texts.map((text) => lines.write(text, 0));
    expect(written.map(String)).toEqual([...texts.slice(0, -1), '\ufffd']);
  });

  it('replays every line of the last seconds once, and none that is much older', () => {
    for (let now = 0; now < 20_000; now += 7) send(`${now}`, now);
    const found = again(20_000).map(Number);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(numbers(19_005, 20_000, 7)));
    expect(Math.min(...found)).toBeGreaterThan(20_000 - 2 * KEEP_MS - 7);
  });

  it('replays no old line, however little is sent', () => {
    send('long ago', 0);
    send('just now', 90_000);
    expect(again(90_000)).toEqual(['just now']);
  });

  it('never overwrites lines in flight or lines of the last seconds', () => {
    const sending = [];
    const recent: { at: number; text: string; bytes: Buffer }[] = [];
    for (let now = 0; now < 8_000; now += 10) {
      const text = `${now}${LINE}`;
      if (now % 500 === 0) sending.push({ text, bytes: lines.write(text, now) });
      else recent.push({ at: now, text, bytes: send(text, now) });
      for (const { at, text: expected, bytes } of recent.filter((_, n) => n % 17 === 0).slice(-8))
        if (at >= now - KEEP_MS) expect(bytes.toString() === expected).toBe(true);
    }
    for (const { text, bytes } of sending) expect(bytes.toString() === text).toBe(true);
  });

  it('reuses its memory', () => {
    const seen = new Set<ArrayBufferLike>();
    for (let now = 0; now < 100_000; now += 100) seen.add(send(LINE, now).buffer);
    expect(seen.size).toBeLessThanOrEqual(4);
  });

  it('does not reuse a slab with a failed text, but replays it', () => {
    const [first, second] = [lines.write('first', 0), lines.write('second', 0)];
    lines.notSent(first, 0);
    lines.sent(second, 0);
    expect(again(0)).toEqual(['first', 'second']);
    for (let now = 0; now < 50_000; now += 100) expect(send(LINE, now).buffer).not.toBe(first.buffer);
    expect([first, second].map(String)).toEqual(['first', 'second']);
  });

  it('keeps lines that were recent when the store was lost until it is back', () => {
    send('before', 0);
    lines.hold(500);
    for (let now = 10_000; now < 60_000; now += 100) send(LINE, now);
    lines.hold(60_000);
    expect(again(60_000)).toContain('before');
    expect(again(60_100)).toContain('before');
    for (let now = 61_200; now < 70_000; now += 100) send(LINE, now);
    expect(again(70_000)).not.toContain('before');
  });

  it('tells whether it has recent or held lines', () => {
    expect(lines.holds(0)).toBe(false);
    send('one', 0);
    expect([lines.holds(KEEP_MS), lines.holds(KEEP_MS + 1)]).toEqual([true, false]);
    lines.hold(KEEP_MS);
    expect(lines.holds(60_000)).toBe(true);
    again(60_000);
    expect(lines.holds(61_001)).toBe(false);
  });

  it('accepts a text that is larger than a slab', () => {
    const text = `${LINE}\n`.repeat(20);
    expect(send(text, 0).toString() === text).toBe(true);
    expect(again(0).join('\n') === text).toBe(true);
  });
});

function numbers(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.floor((to - from) / step) }, (_, n) => from + n * step);
}
