import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copy } from './copy';
import classes from './data-table.module.css';
import { ShortAddress } from './short-address';
import { WebLink } from './web-link';

interface Props {
  /** The name as a link to its page. */
  children: ReactNode;
  name: string;
  link: string;
  destination: string;
}

/** The first cell of a link or campaign: name, URL and destination, in one line or three. */
export function RowName({ children, name, link, destination }: Props) {
  const address = link.replace(/^https?:\/\//, '');
  return (
    <div className={classes.name}>
      <div className={classes.title} title={name}>
        {children}
      </div>
      <Group gap={2} wrap="nowrap" miw={0} className={classes.address}>
        {name !== address && (
          <Text size="xs" className={classes.cut} title={address}>
            <ShortAddress of={address} />
          </Text>
        )}
        <Copy value={link} name={address} />
      </Group>
      <div className={classes.destination} title={destination}>
        <WebLink href={destination} size="xs" c="dimmed" />
      </div>
    </div>
  );
}
