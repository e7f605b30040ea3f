import type { Schemas } from '../../api/client';

interface Sample {
  readonly name: string;
  readonly code: string;
}

/** Code samples for apps and their servers, taken from the guides, where they are tested. */
export async function samplesOf(platform: Schemas['AppResponse']['platform']): Promise<Sample[]> {
  if (platform === 'Web') {
    const guide = await import('../../../../clients/web/README.md?raw');
    return [sample('Node.js', guide.default, 'Your server')];
  }
  const { default: guide } = await import('../../../../docs/native-apps.md?raw');
  const own = platform === 'iOS' ? 'Swift' : 'Kotlin';
  return [
    ...[own, 'React Native', 'Flutter'].map((name) => sample(name, guide, name)),
    sample('Node.js', guide, 'Your server'),
  ];
}

/** The first code block below a heading. */
function sample(name: string, guide: string, heading: string): Sample {
  const [, section = ''] = guide.split(`\n## ${heading}\n`);
  const [, code = ''] = /```\w+\n([\s\S]*?)```/.exec(section) ?? [];
  return { name, code: code.trimEnd() };
}
