import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type Native = Pick<
  ComponentPropsWithRef<'a'>,
  'href' | 'target' | 'onClick' | 'ref' | 'children' | 'title' | 'aria-label'
>;

/** A link to a page of the console, with typed paths: `<RouteLink to="/links/$id" params={{ id }}>`. */
export const RouteLink = createLink((props: AnchorProps & Native) => (
  <Anchor style={{ overflowWrap: 'anywhere' }} {...props} />
));

export const RouteButton = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />);
