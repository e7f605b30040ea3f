import { Box, Code } from '@mantine/core';
import { Copy } from './copy';

/** Several lines of text to copy. @param label name of the text */
export function Snippet({ value, label }: { value: string; label: string }) {
  return (
    <Box pos="relative" miw={0}>
      <Code block tabIndex={0} role="group" aria-label={label} mah={420} pr={44} style={{ overflow: 'auto' }}>
        {value}
      </Code>
      <Box pos="absolute" top={4} right={4}>
        <Copy value={value} name={label} />
      </Box>
    </Box>
  );
}
