import { useState } from 'react';
import { api, client, queries, type Schemas } from '../../api/client';
import { useApiForm, unwrap } from '../../kit/form';
import { isApiError } from '../../api/errors';
import { Result } from '../../kit/loading';
import { FormPanel, type FormPanelProps } from '../../kit/form-panel';
import { showDone, showError } from '../../kit/toasts';
import { useTexts } from '../../texts/texts';
import { common } from '../../texts/common';
import { CreatedLink } from './created-link';
import { LinkForm } from './form/link-form';
import { changeOf, copyOf, creationOf, type LinkValues, NEW_LINK, valuesOf } from './form/values';
import type { Link } from './link';
import { linkTexts } from './texts';
import { useDomains } from './use-choices';

interface Props {
  shown: number | 'new' | null;
  /** The link from which the values of a new one are copied. */
  copyOf?: number | undefined;
  onClose: () => void;
}

export function LinkPanel({ shown, copyOf: copied, onClose }: Props) {
  const t = useTexts(linkTexts);
  return (
    <FormPanel
      shown={shown}
      calls={{ create: 'createOrganizationShortUrl', edit: 'updateOrganizationShortUrl' }}
      titles={{ create: t('create'), edit: t('editTitle') }}
      onClose={onClose}
      create={(props) =>
        copied === undefined ? <NewLink {...props} /> : <CopiedLink id={copied} {...props} />
      }
      edit={(id, props) => <ExistingLink id={id} {...props} />}
    />
  );
}

function CopiedLink({ id, ...props }: FormPanelProps & { id: number }) {
  const link = api.useQuery('get', '/urls/{id}', { params: { path: { id } } }, { staleTime: Infinity });
  const domains = useDomains();
  return (
    <Result of={link}>
      {(data) => (
        <NewLink
          key={domains.length}
          values={copyOf(data, domains.find(({ label }) => label === data.customDomainName)?.value ?? '')}
          {...props}
        />
      )}
    </Result>
  );
}

function NewLink({ values: initial = NEW_LINK, onClose }: FormPanelProps & { values?: LinkValues }) {
  const [ownTitle, setOwnTitle] = useState('');
  const [created, setCreated] = useState<Link | null>(null);
  const creation = useApiForm({
    initialValues: initial,
    send: (values) => {
      const title = values.title.trim() || ownTitle;
      return unwrap(client.POST('/urls', { body: creationOf({ ...values, title }) }));
    },
    done: (link) => {
      setCreated(link);
    },
  });
  if (created === null) return <LinkForm of={creation} onOwnTitle={setOwnTitle} />;
  return (
    <CreatedLink
      link={created}
      onClose={onClose}
      onAnother={() => {
        creation.form.setValues(NEW_LINK);
        creation.form.resetDirty(NEW_LINK);
        setCreated(null);
      }}
    />
  );
}

function ExistingLink({ id, ...props }: FormPanelProps & { id: number }) {
  const link = api.useQuery('get', '/urls/{id}', { params: { path: { id } } }, { staleTime: Infinity });
  return <Result of={link}>{(data) => <EditedLink key={data.id} link={data} {...props} />}</Result>;
}

function EditedLink({ link, onClose }: FormPanelProps & { link: Link }) {
  const c = useTexts(common);
  const [before] = useState(() => valuesOf(link));
  const params = { path: { id: link.id } };
  const edit = useApiForm({
    initialValues: before,
    valuesOf: (stored) => valuesOf(stored as unknown as Link),
    send: async (values) => {
      const body = changeOf(before, values);
      await unwrap(client.PUT('/urls/{id}', { params, body })).catch(atFieldOfForm);
      return values;
    },
    done: (after) => {
      onClose();
      showDone(c('saved'), isReversible(changeOf(before, after)) ? undo(after) : undefined);
    },
  });
  const undo = (after: typeof before) => () => {
    unwrap(client.PUT('/urls/{id}', { params, body: changeOf(after, before) }))
      .then(() => queries.invalidateQueries())
      .catch(showError);
  };
  return <LinkForm of={edit} link={link} />;
}

/** Whether a change can be undone: passwords are not returned, and a former alias stays attached to its link. */
function isReversible(change: Schemas['UpdateLinkRequest']): boolean {
  return change.password === undefined && change.customAlias === undefined;
}

/** Renames `originalUrl` in errors of updates to the form's `url`. */
function atFieldOfForm(error: unknown): never {
  if (!isApiError(error)) throw error as Error;
  const details = error.details?.map((detail) => ({
    ...detail,
    field: detail.field === 'originalUrl' ? 'url' : detail.field,
  }));
  throw { ...error, ...(details && { details }) } as unknown as Error;
}
