import { useEffect, useState } from 'react';
import { api, client, queries, type Schemas } from '../../api/client';
import { useApiForm, unwrap } from '../../kit/form';
import { isApiError } from '../../api/errors';
import { Result } from '../../kit/loading';
import { Panel } from '../../kit/panel';
import { showDone, showError } from '../../kit/toasts';
import { useTexts } from '../../texts/texts';
import { common } from '../../texts/common';
import { CreatedLink } from './created-link';
import { LinkForm } from './form/link-form';
import { changeOf, creationOf, NEW_LINK, valuesOf } from './form/values';
import type { Link } from './link';
import { linkTexts } from './texts';

interface Props {
  /** The id of the link to edit, or `new`; null while the panel is closed. */
  shown: number | 'new' | null;
  onClose: () => void;
}

/** The panel in which links are created and edited. */
export function LinkPanel({ shown, onClose }: Props) {
  const t = useTexts(linkTexts);
  const [dirty, setDirty] = useState(false);
  const close = () => {
    setDirty(false);
    onClose();
  };
  return (
    <Panel
      opened={shown !== null}
      title={t(shown === 'new' ? 'create' : 'editTitle')}
      onClose={close}
      dirty={dirty}
      size="lg"
    >
      {shown === 'new' && <NewLink onDirty={setDirty} onClose={close} />}
      {typeof shown === 'number' && <ExistingLink id={shown} onDirty={setDirty} onClose={close} />}
    </Panel>
  );
}

interface FormProps {
  onDirty: (dirty: boolean) => void;
  onClose: () => void;
}

function NewLink({ onDirty, onClose }: FormProps) {
  const [created, setCreated] = useState<Link | null>(null);
  const creation = useApiForm({
    initialValues: NEW_LINK,
    send: (values) => unwrap(client.POST('/urls', { body: creationOf(values) })),
    done: (link) => {
      onDirty(false);
      setCreated(link);
    },
  });
  useDirty(creation.form.isDirty() && created === null, onDirty);
  if (created === null) return <LinkForm of={creation} />;
  return (
    <CreatedLink
      link={created}
      onClose={onClose}
      onAnother={() => {
        creation.form.reset();
        setCreated(null);
      }}
    />
  );
}

function ExistingLink({ id, ...props }: FormProps & { id: number }) {
  const link = api.useQuery('get', '/urls/{id}', { params: { path: { id } } }, { staleTime: Infinity });
  return <Result of={link}>{(data) => <EditedLink key={data.id} link={data} {...props} />}</Result>;
}

function EditedLink({ link, onDirty, onClose }: FormProps & { link: Link }) {
  const c = useTexts(common);
  const [before] = useState(() => valuesOf(link));
  const params = { path: { id: link.id } };
  const edit = useApiForm({
    initialValues: before,
    send: async (values) => {
      const body = changeOf(before, values);
      await unwrap(client.PUT('/urls/{id}', { params, body })).catch(atFieldOfForm);
      return values;
    },
    done: (after) => {
      onDirty(false);
      onClose();
      showDone(c('saved'), isReversible(changeOf(before, after)) ? undo(after) : undefined);
    },
  });
  const undo = (after: typeof before) => () => {
    unwrap(client.PUT('/urls/{id}', { params, body: changeOf(after, before) }))
      .then(() => queries.invalidateQueries())
      .catch(showError);
  };
  useDirty(edit.form.isDirty(), onDirty);
  return <LinkForm of={edit} link={link} />;
}

function useDirty(dirty: boolean, onDirty: (dirty: boolean) => void): void {
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
}

/** Passwords are not returned, and a former alias keeps leading to its link. */
function isReversible(change: Schemas['UpdateLinkRequest']): boolean {
  return change.password === undefined && change.customAlias === undefined;
}

/** The destination is `originalUrl` in changes, and `url` in the form. */
function atFieldOfForm(error: unknown): never {
  if (!isApiError(error)) throw error as Error;
  const details = error.details?.map(({ field, message }) => ({
    field: field === 'originalUrl' ? 'url' : field,
    message,
  }));
  throw { ...error, ...(details && { details }) } as unknown as Error;
}
