import { ActionIcon, Alert, Code, CopyButton, Group, Stack, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';

/** A button that copies a text. @param name what is copied, for screen readers */
export function Copy({ value, name }: { value: string; name?: string }) {
  const t = useTexts(common);
  return (
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => {
        const label = copied ? t('copied') : t('copy');
        return (
          <Tooltip label={label}>
            <ActionIcon
              variant="subtle"
              color={copied ? 'teal' : 'gray'}
              size={26}
              aria-label={name === undefined ? label : `${label}: ${name}`}
              onClick={(event) => {
                event.preventDefault();
                event.stopPropagation();
                copy();
              }}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        );
      }}
    </CopyButton>
  );
}

/** A one-line value with a button that copies it. */
export function CopyText({ value, label }: { value: string; label?: string }) {
  return (
    <Stack gap={2}>
      {label !== undefined && (
        <Text size="sm" fw={500}>
          {label}
        </Text>
      )}
      <Group gap={4} wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere', userSelect: 'all' }} tabIndex={0}>
          {value}
        </Code>
        <Copy value={value} {...(label !== undefined && { name: label })} />
      </Group>
    </Stack>
  );
}

/** A secret that the API returns only once. */
export function Secret({ value, label }: { value: string; label: string }) {
  const t = useTexts(common);
  return (
    <Alert color="yellow" variant="light">
      <Stack gap="xs">
        <CopyText value={value} label={label} />
        <Text size="sm">{t('shownOnce')}</Text>
      </Stack>
    </Alert>
  );
}
