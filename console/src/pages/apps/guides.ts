import type { Schemas } from '../../api/client';

interface Sample {
  readonly name: string;
  readonly code: string;
}

/** Code samples for an app and its server, taken from the guides, where they are tested. */
export async function samplesOf(app: Schemas['AppResponse']): Promise<Sample[]> {
  const samples = await samplesFor(app.platform);
  return samples.map(({ name, code }) => ({ name, code: withValuesOf(app, code) }));
}

/** Puts the values of the app in the place of those of the guides. */
function withValuesOf({ id, publishableKey }: Schemas['AppResponse'], code: string): string {
  return code
    .replaceAll(/\b42\b/g, String(id))
    .replaceAll('https://api.example.com', location.origin)
    .replaceAll('wp_pub_…', publishableKey);
}

async function samplesFor(platform: Schemas['AppResponse']['platform']): Promise<Sample[]> {
  if (platform === 'Web') {
    const { default: guide } = await import('../../../../clients/web/README.md?raw');
    return [
      sample('React', guide, 'React'),
      sample('Node.js', guide, 'Members'),
      sample('Express', guide, 'Through your server', 1),
    ];
  }
  const { default: guide } = await import('../../../../docs/native-apps.md?raw');
  return [
    sample('JavaScript', guide, 'React Native, Expo and Capacitor'),
    ...[platform === 'iOS' ? 'Swift' : 'Kotlin', 'Flutter'].map((name) => sample(name, guide, name)),
    sample('Node.js', guide, 'Your server'),
  ];
}

/** A code block below a heading, the first unless said otherwise. */
function sample(name: string, guide: string, heading: string, at = 0): Sample {
  const [, section = ''] = guide.split(`\n## ${heading}\n`);
  const blocks = [...section.matchAll(/```\w+\n([\s\S]*?)```/g)];
  return { name, code: (blocks[at]?.[1] ?? '').trimEnd() };
}
