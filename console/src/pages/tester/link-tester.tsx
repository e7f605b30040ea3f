import { Button, Group, Paper, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { IconTestPipe } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/client';
import { fieldProblems } from '../../api/errors';
import { Empty } from '../../kit/empty';
import { FilterText } from '../../kit/filters';
import { limited, tooLong } from '../../kit/limited';
import { Loading, Problem } from '../../kit/loading';
import { useView } from '../../kit/view';
import { toInstant } from '../../kit/local-time';
import { languageName } from '../../texts/format';
import { language, useTexts } from '../../texts/texts';
import { testerTexts } from './texts';
import { TraceResult } from './trace-result';
import { countries, type DeviceName, DEVICES, VISITOR_LANGUAGES } from './visitors';

const MAX = 2000;
/** Maximum lengths of the fields for a place. */
const PLACE = { region: 6, city: 100 };
const VIEW = { url: '', device: 'iphone', language: '', country: '', region: '', city: '', at: '' };
const NAMES = Object.keys(DEVICES) as DeviceName[];

/** Traces what a visitor of a short URL gets. */
export function LinkTester() {
  const t = useTexts(testerTexts);
  const [view, change] = useView(VIEW);
  const device = NAMES.find((name) => name === view.device) ?? 'iphone';
  const acceptLanguage = view.language || language();
  const query = {
    url: view.url,
    userAgent: DEVICES[device],
    acceptLanguage,
    ...(view.country && { country: view.country }),
    ...(view.region && { region: view.region }),
    ...(view.city && { city: view.city }),
    ...(view.at && { at: toInstant(view.at) }),
  };
  const trace = api.useQuery(
    'get',
    '/links/trace',
    { params: { query } },
    { enabled: view.url !== '', staleTime: 0, gcTime: 0 },
  );
  const { error } = trace;
  const problems = fieldProblems(error);
  const refused = (field: string) => problems.find((each) => each.field === field)?.message;
  const isShown = problems.some(({ field }) => field === 'url' || field === 'region');
  return (
    <Stack>
      <Paper withBorder p={{ base: 'sm', sm: 'md' }}>
        <Stack>
          <AddressForm
            key={view.url}
            url={view.url}
            error={refused('url')}
            busy={trace.isFetching}
            onTest={(url) => {
              if (url === view.url) void trace.refetch();
              else change({ url });
            }}
          />
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
            <Select
              label={t('device')}
              data={NAMES.map((value) => ({ value, label: t(value) }))}
              value={device}
              allowDeselect={false}
              onChange={(value) => change({ device: value ?? VIEW.device })}
            />
            <Select
              label={t('language')}
              data={VISITOR_LANGUAGES.map((value) => ({ value, label: languageName(value) }))}
              value={acceptLanguage}
              allowDeselect={false}
              onChange={(value) => change({ language: value ?? '' })}
            />
            <Select
              label={t('country')}
              placeholder={t('anyCountry')}
              data={countries(language())}
              searchable
              clearable
              limit={60}
              value={view.country || null}
              onChange={(value) => change({ country: value ?? '' })}
            />
            {(['region', 'city'] as const).map((field) => (
              <FilterText
                key={field}
                label={t(field)}
                placeholder={t('anyCountry')}
                max={PLACE[field]}
                value={view[field]}
                error={refused(field)}
                onChange={(value) => change({ [field]: value })}
              />
            ))}
            <TextInput
              type="datetime-local"
              label={t('at')}
              value={view.at}
              onChange={(event) => change({ at: event.currentTarget.value })}
            />
          </SimpleGrid>
        </Stack>
      </Paper>
      {view.url === '' && <Empty icon={IconTestPipe} title={t('firstTitle')} text={t('firstText')} />}
      {view.url !== '' && trace.isLoading && <Loading />}
      {error && !isShown && <Problem error={error} retry={() => void trace.refetch()} />}
      {trace.data && !error && <TraceResult trace={trace.data} />}
    </Stack>
  );
}

interface FormProps {
  url: string;
  error: string | undefined;
  busy: boolean;
  onTest: (url: string) => void;
}

function AddressForm({ url, error, busy, onTest }: FormProps) {
  const t = useTexts(testerTexts);
  const [typed, setTyped] = useState(url);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() && tooLong(typed, MAX) === null) onTest(typed.trim());
      }}
    >
      <Group align="flex-start" gap="sm">
        <TextInput
          flex="1 1 260px"
          label={t('address')}
          description={t('addressHint')}
          placeholder="https://go.example.com/spring"
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          {...limited(MAX, { value: typed, error })}
          onChange={(event) => setTyped(event.currentTarget.value)}
          rightSectionWidth={84}
          rightSection={
            <Button type="submit" size="compact-sm" aria-busy={busy}>
              {t('test')}
            </Button>
          }
        />
      </Group>
    </form>
  );
}
