import { Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { client, queries, type Schemas } from '../../api/client';
import { useMay } from '../../api/may';
import { FormFrame, unwrap, useApiForm } from '../../kit/form';
import { showDone, showError } from '../../kit/toasts';
import { WebLink } from '../../kit/web-link';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { domainTexts } from './texts';

type Domain = Schemas['CustomDomainResponse'];
const FIELDS = ['rootUrl', 'notFoundUrl', 'expiredUrl'] as const;

/** Form for the domain's redirects in place of pages. */
export function DomainPages({ domain }: { domain: Domain }) {
  const t = useTexts(domainTexts);
  const c = useTexts(common);
  const may = useMay('updateOrganizationCustomDomain');
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'md' }}>
      <Stack>
        <div>
          <Title order={2} size="h5">
            {t('pages')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('pagesText')}
          </Text>
        </div>
        {may ? (
          <PagesForm domain={domain} />
        ) : (
          FIELDS.map((field) => (
            <div key={field}>
              <Text size="sm" fw={500}>
                {t(field)}
              </Text>
              {domain[field] === null ? c('none') : <WebLink href={domain[field]} size="sm" />}
            </div>
          ))
        )}
      </Stack>
    </Paper>
  );
}

function PagesForm({ domain }: { domain: Domain }) {
  const t = useTexts(domainTexts);
  const c = useTexts(common);
  const before = addressesOf(domain);
  const edit = useApiForm({
    initialValues: before,
    send: (values) => save(domain.id, values),
    done: (saved) => {
      edit.form.setInitialValues(addressesOf(saved));
      edit.form.reset();
      showDone(c('saved'), () => {
        save(domain.id, before)
          .then((restored) => {
            edit.form.setInitialValues(addressesOf(restored));
            edit.form.reset();
            return queries.invalidateQueries();
          })
          .catch(showError);
      });
    },
  });
  return (
    <FormFrame of={edit} label={c('save')}>
      {FIELDS.map((field) => (
        <TextInput
          key={field}
          type="url"
          label={t(field)}
          placeholder="https://www.example.com/"
          {...edit.form.getInputProps(field)}
        />
      ))}
    </FormFrame>
  );
}

type Addresses = Record<(typeof FIELDS)[number], string>;

function addressesOf({ rootUrl, notFoundUrl, expiredUrl }: Domain): Addresses {
  return { rootUrl: rootUrl ?? '', notFoundUrl: notFoundUrl ?? '', expiredUrl: expiredUrl ?? '' };
}

async function save(id: number, values: Addresses): Promise<Domain> {
  const body = Object.fromEntries(FIELDS.map((field) => [field, values[field].trim() || null]));
  return unwrap(client.PATCH('/custom-domains/{id}', { params: { path: { id } }, body }));
}
