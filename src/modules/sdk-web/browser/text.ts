/** At most `max` characters, none of them halved, and no NUL, which the server refuses. */
export function cut(text: string, max: number): string {
  return Array.from(text.split('\0').join('')).slice(0, max).join('');
}
