import {
  Badge,
  Button,
  Checkbox,
  ColorInput,
  Group,
  Paper,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { api, client, type Schemas } from '../../api/client';
import { useMay } from '../../api/may';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { limited } from '../../kit/limited';
import { Result } from '../../kit/loading';
import { showDone } from '../../kit/toasts';
import { common } from '../../texts/common';
import { formatDate } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { settingsTexts } from './texts';
import { Usage } from './usage';

type OrganizationResponse = Schemas['OrganizationResponse'];

export function Organization() {
  const organization = api.useQuery('get', '/');
  return (
    <Result of={organization}>
      {(data) => (
        <Stack maw={640} gap="xl">
          <OrganizationForm organization={data} />
          <Plan organization={data} />
          <Usage />
        </Stack>
      )}
    </Result>
  );
}

function OrganizationForm({ organization }: { organization: OrganizationResponse }) {
  const t = useTexts(settingsTexts);
  const c = useTexts(common);
  const readOnly = !useMay('updateOrganization');
  const { name, brandName, logoUrl, brandColor, timeZone, baseCurrency, defaultRegion } = organization;
  const { appendClickId, allowHttpDestinations } = organization;
  const edit = useApiForm({
    initialValues: {
      name,
      brandName: brandName ?? '',
      logoUrl: logoUrl ?? '',
      brandColor: brandColor ?? '',
      timeZone,
      baseCurrency,
      defaultRegion,
      appendClickId,
      allowHttpDestinations,
    },
    send: (values) => {
      const { brandName: shown, logoUrl: logo, brandColor: color } = values;
      const body = {
        ...values,
        brandName: shown.trim() || null,
        logoUrl: logo.trim() || null,
        brandColor: color || null,
      };
      return unwrap(client.PATCH('/', { body }));
    },
    done: () => showDone(c('saved')),
  });
  const { form } = edit;
  const fields = (
    <Stack>
      <Paper withBorder p="lg">
        <Stack>
          <Title order={2} size="h4">
            {t('branding')}
          </Title>
          <Text size="sm">{t('brandingText')}</Text>
          <TextInput label={t('name')} readOnly={readOnly} {...form.getInputProps('name')} />
          <TextInput
            label={t('brandName')}
            description={t('brandNameHint')}
            readOnly={readOnly}
            {...form.getInputProps('brandName')}
          />
          <TextInput
            label={t('logoUrl')}
            description={t('logoUrlHint')}
            type="url"
            readOnly={readOnly}
            {...form.getInputProps('logoUrl')}
          />
          <ColorInput
            label={t('brandColor')}
            readOnly={readOnly}
            withEyeDropper={false}
            {...form.getInputProps('brandColor')}
          />
        </Stack>
      </Paper>
      <Paper withBorder p="lg">
        <Stack>
          <Title order={2} size="h4">
            {t('reports')}
          </Title>
          <Select
            label={t('timeZone')}
            data={zones(timeZone)}
            searchable
            readOnly={readOnly}
            allowDeselect={false}
            {...form.getInputProps('timeZone')}
          />
          <Select
            label={t('currency')}
            data={Intl.supportedValuesOf('currency')}
            searchable
            readOnly={readOnly}
            allowDeselect={false}
            {...form.getInputProps('baseCurrency')}
          />
          <TextInput
            label={t('region')}

            readOnly={readOnly}
            {...limited(2, form.getInputProps('defaultRegion'))}
          />
          <Checkbox
            label={t('appendClickId')}
            disabled={readOnly}
            {...form.getInputProps('appendClickId', { type: 'checkbox' })}
          />
        </Stack>
      </Paper>
      <Paper withBorder p="lg">
        <Stack>
          <Title order={2} size="h4">
            {t('links')}
          </Title>
          <Checkbox
            label={t('allowHttpDestinations')}
            description={t('allowHttpDestinationsHint')}
            disabled={readOnly}
            {...form.getInputProps('allowHttpDestinations', { type: 'checkbox' })}
          />
        </Stack>
      </Paper>
    </Stack>
  );
  if (readOnly) return fields;
  return (
    <FormFrame
      of={edit}
      label={c('save')}
      extra={
        form.isDirty() && (
          <Button variant="default" onClick={form.reset}>
            {c('cancel')}
          </Button>
        )
      }
    >
      {fields}
    </FormFrame>
  );
}

/** The browser's time zones and the stored one, which the browser may not list under that name. */
function zones(stored: string): string[] {
  return [...new Set([stored, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}

function Plan({ organization }: { organization: OrganizationResponse }) {
  const t = useTexts(settingsTexts);
  const addOns = api.useQuery('get', '/add-ons', { params: { query: { size: 100 } } });
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t('plan')}
          </Title>
          <Badge size="lg">{organization.plan}</Badge>
        </Group>
        <Text fw={600}>{t('addOns')}</Text>
        <Result of={addOns}>
          {({ content }) => (
            <Group gap="xs">
              {content.length === 0 && <Text size="sm">{t('noAddOns')}</Text>}
              {content.map(({ code, active, activeUntil }) => (
                <Badge key={code} color={active ? 'teal.9' : 'gray.7'}>
                  {t(code)} {activeUntil && t('until', { date: formatDate(activeUntil) })}
                </Badge>
              ))}
            </Group>
          )}
        </Result>
      </Stack>
    </Paper>
  );
}
