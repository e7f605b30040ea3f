import { Alert, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { api, type Schemas } from '../../api/client';
import { WARNING } from '../../kit/colors';
import { Result } from '../../kit/loading';
import { Snippet } from '../../kit/snippet';
import { WebLink } from '../../kit/web-link';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { appTexts } from './texts';

/** The association files, by which phones know that links open the app, as each host serves them now. */
export function Associations({ app }: { app: Schemas['AppResponse'] }) {
  const t = useTexts(appTexts);
  const files = api.useQuery('get', '/mobile-apps/{id}/associations', { params: { path: { id: app.id } } });
  return (
    <Result of={files}>
      {({ hosts }) => (
        <Stack>
          <Text c="dimmed">{t('filesText')}</Text>
          {hosts.map(({ host, customDomainId, files: served }) => (
            <Paper key={host} withBorder p={{ base: 'sm', sm: 'md' }}>
              <Stack gap="md">
                <Group justify="space-between" gap="xs">
                  <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
                    {host}
                  </Title>
                  <Badge variant="default">
                    {t(customDomainId === null ? 'defaultDomain' : 'customDomain')}
                  </Badge>
                </Group>
                {served
                  .filter(({ includesApp }) => includesApp !== null)
                  .map((file) => (
                    <AssociationFile key={file.url} file={file} />
                  ))}
              </Stack>
            </Paper>
          ))}
        </Stack>
      )}
    </Result>
  );
}

function AssociationFile({ file }: { file: Schemas['AssociationFileResponse'] }) {
  const t = useTexts(appTexts);
  const { url, content, size, includesApp, problems } = file;
  const shown = indented(content);
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <WebLink href={url} size="sm">
          {url}
        </WebLink>
        <Badge color={includesApp ? 'teal.9' : WARNING}>{t(includesApp ? 'inFile' : 'notInFile')}</Badge>
      </Group>
      {problems.map(({ code }) => (
        <Alert key={code} color="orange" icon={<IconAlertTriangle />} p="xs">
          {t(code)}
        </Alert>
      ))}
      <Snippet label={url} value={shown} />
      {content.length < size && content.length >= CUT && (
        <Text size="sm" c="dimmed">
          {t('cut', { formatted: formatNumber(size) })}
        </Text>
      )}
    </Stack>
  );
}

/** Characters to which the API truncates a file. */
const CUT = 65_536;

/** Formats JSON, unless it was truncated. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
