import { Box } from '@mantine/core';

/** The address of a link without its scheme; a phone, where the end would be cut off, leaves out the host. */
export function ShortAddress({ of }: { of: string }) {
  const path = of.indexOf('/');
  return (
    <>
      <Box component="span" visibleFrom="sm">
        {of.slice(0, path)}
      </Box>
      {of.slice(path)}
    </>
  );
}
