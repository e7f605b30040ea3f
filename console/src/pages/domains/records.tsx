import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { Copy } from '../../kit/copy';
import { useTexts } from '../../texts/texts';
import { domainTexts } from './texts';

/** DNS records to copy part by part, as forms of DNS providers require. */
export function Records({ records, label }: { records: Schemas['DnsRecordResponse'][]; label: string }) {
  const t = useTexts(domainTexts);
  return (
    <Stack component="ul" aria-label={label} gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
      {records.map(({ type, name, value }) => (
        <Group component="li" key={`${type} ${name} ${value}`} align="flex-start" gap="md">
          <Stack gap={2} w={76}>
            <Text size="xs" c="dimmed">
              {t('type')}
            </Text>
            <Badge variant="default" my={4}>
              {type}
            </Badge>
          </Stack>
          <Part label={t('recordName')} value={name} />
          <Part label={t('value')} value={value} />
        </Group>
      ))}
    </Stack>
  );
}

function Part({ label, value }: { label: string; value: string }) {
  return (
    <Stack gap={2} flex="1 1 260px" miw={0}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Group gap={4} wrap="nowrap">
        <Code tabIndex={0} style={{ overflowWrap: 'anywhere', userSelect: 'all' }}>
          {value}
        </Code>
        <Copy value={value} name={`${label}, ${value}`} />
      </Group>
    </Stack>
  );
}
