import { RecentLines } from './recent-lines';

const LINE = `${'x'.repeat(99_999)}\n`;

describe('Memory of recent lines', () => {
  it('holds texts as UTF-8, each by itself', () => {
    const lines = new RecentLines();
    const texts = ['', 'one', 'zwei und zwölf', '셋 🙂', '\u0000', '\ud800'];
    const written = texts.map((text) => lines.write(text));
    expect(written.map(String)).toEqual([...texts.slice(0, -1), '\ufffd']);
  });

  it('never writes over what has not been given back', () => {
    const lines = new RecentLines();
    const texts = Array.from({ length: 100 }, (_, n) => `${n}${LINE}`);
    const held: { text: string; bytes: Buffer }[] = [];
    for (const [n, text] of [...texts, ...texts, ...texts].entries()) {
      held.push({ text, bytes: lines.write(text) });
      if (n % 3 === 0) lines.giveBack(held.splice((n * 7) % held.length, 1)[0]?.bytes ?? Buffer.alloc(0));
      for (const { text: kept, bytes } of held.slice(-20)) expect(bytes.toString() === kept).toBe(true);
    }
    for (const { text, bytes } of held) expect(bytes.toString() === text).toBe(true);
  });

  it('takes the same memory again', () => {
    const lines = new RecentLines();
    const seen = new Set<ArrayBufferLike>();
    for (let n = 0; n < 500; n++) {
      const bytes = lines.write(LINE);
      seen.add(bytes.buffer);
      lines.giveBack(bytes);
    }
    expect(seen.size).toBe(2);
  });

  it('writes no more where something may still be on its way', () => {
    const lines = new RecentLines();
    const [first, second] = [lines.write('first'), lines.write('second')];
    lines.abandon(first);
    lines.abandon(second);
    lines.giveBack(second);
    for (let n = 0; n < 50; n++) {
      const bytes = lines.write(LINE);
      expect(bytes.buffer).not.toBe(first.buffer);
      lines.giveBack(bytes);
    }
    expect([first, second].map(String)).toEqual(['first', 'second']);
  });

  it('takes what no slab can hold, too', () => {
    const lines = new RecentLines();
    const text = LINE.repeat(20);
    const bytes = lines.write(text);
    expect(bytes.toString() === text).toBe(true);
    lines.giveBack(bytes);
  });
});
