import type * as octokit from '@octokit/webhooks-methods';

// The package exports itself to `import` alone, and suites are CommonJS.
const { verify } = jest.requireActual<typeof octokit>(
  '../../node_modules/@octokit/webhooks-methods/dist-node/index.js',
);

/** Whether the library that GitHub gives to its receivers takes this `sha256=` signature. */
export function isGitHubStyle(secret: string, body: string, signature: string): Promise<boolean> {
  return verify(secret, body, signature);
}

/** Every way to change a text in one byte: in its lowest bit, which leaves headers headers. */
export function oneByteOff(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  return [...bytes.keys()].map((i) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(bytes.readUInt8(i) ^ 1, i);
    return changed;
  });
}
