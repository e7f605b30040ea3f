import type * as octokit from '@octokit/webhooks-methods';

// The package only exports ESM, but suites are CommonJS.
const { verify } = jest.requireActual<typeof octokit>(
  '../../node_modules/@octokit/webhooks-methods/dist-node/index.js',
);

/** Whether GitHub's own library accepts this `sha256=` signature. */
export function isGitHubStyle(secret: string, body: string, signature: string): Promise<boolean> {
  return verify(secret, body, signature);
}

/** Every variant of a text with the lowest bit of one byte flipped, which keeps it valid in a header. */
export function oneByteOff(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  return [...bytes.keys()].map((i) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(bytes.readUInt8(i) ^ 1, i);
    return changed;
  });
}
