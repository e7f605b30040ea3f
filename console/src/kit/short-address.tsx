import { Box } from '@mantine/core';

/** URL of a link without scheme; on a phone also without host, so that the alias is not cut off. */
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
