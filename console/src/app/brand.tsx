import { Group, Text } from '@mantine/core';

const PRODUCT = 'Waypost';

export function Brand() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src="/console/favicon.svg" alt="" width={26} height={26} />
      <Text fw={700} size="lg">
        {PRODUCT}
      </Text>
    </Group>
  );
}
