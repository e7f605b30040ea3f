/** Truncates to `max` characters without splitting one, and removes NUL, which the server rejects. */
export function cut(text: string, max: number): string {
  return Array.from(text.split('\0').join('')).slice(0, max).join('');
}
