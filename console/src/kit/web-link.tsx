import { Anchor, Text, type AnchorProps } from '@mantine/core';

/** A URL from outside: a link if it is a web address, else plain text. */
export function WebLink({ href, children, ...style }: { href: string; children?: string } & AnchorProps) {
  const shown = children ?? href.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
  if (!/^https?:\/\//i.test(href) || URL.parse(href) === null)
    return (
      <Text span {...style}>
        {shown}
      </Text>
    );
  return (
    <Anchor
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      style={{ overflowWrap: 'anywhere' }}
      {...style}
    >
      {shown}
    </Anchor>
  );
}
