/** A block of a document. */
export interface Block {
  /** Empty where none is given. */
  readonly language: string;
  readonly text: string;
}

/** What stands below a heading, up to the next one of the same level or a higher one. */
export function section(markdown: string, heading: string): string {
  const start = markdown.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`There is no heading ${heading}`);
  const rest = markdown.slice(start + heading.length + 2);
  // Lines of blocks are no headings.
  const text = rest.replaceAll(/^```.*?^```$/gms, (block) => ' '.repeat(block.length));
  const end = text.search(new RegExp(`^#{1,${heading.indexOf(' ')}} `, 'm'));
  return end < 0 ? rest : rest.slice(0, end);
}

/** The blocks of a text, in their order. */
export function blocks(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

/** Settings of the block of a document that begins with a line, one `name value` on each of its other lines. */
export function redisSettings(markdown: string, firstLine: string): Record<string, string> {
  const block = blocks(markdown).find(({ text }) => text.startsWith(`${firstLine}\n`));
  if (!block) throw new Error(`There is no block ${firstLine}`);
  const [, ...lines] = block.text.trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(' ') as [string, string]));
}
