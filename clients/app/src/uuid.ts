/** A random UUID. Hermes has no `crypto` unless a polyfill is installed; an id need not be secret. */
export function uuid(): string {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  const bytes = crypto?.getRandomValues
    ? Array.from(crypto.getRandomValues(new Uint8Array(16)))
    : Array.from({ length: 16 }, () => Math.floor(Math.random() * 256));
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
