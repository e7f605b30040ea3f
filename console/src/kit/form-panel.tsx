import { type ReactNode, useEffect, useState } from 'react';
import { Panel } from './panel';

export interface FormPanelProps {
  /** Called with whether the form has unsaved changes. */
  onDirty: (dirty: boolean) => void;
  onClose: () => void;
}

interface Props {
  /** The id of what is edited, or `new`; null while the panel is closed. */
  shown: number | 'new' | null;
  titles: { readonly create: string; readonly edit: string };
  onClose: () => void;
  create: (props: FormPanelProps) => ReactNode;
  edit: (id: number, props: FormPanelProps) => ReactNode;
}

/** Side panel with a form to create or edit. It asks before it discards changes. */
export function FormPanel({ shown, titles, onClose, create, edit }: Props) {
  const [dirty, setDirty] = useState(false);
  const close = () => {
    setDirty(false);
    onClose();
  };
  const props = { onDirty: setDirty, onClose: close };
  return (
    <Panel
      opened={shown !== null}
      title={shown === 'new' ? titles.create : titles.edit}
      onClose={close}
      dirty={dirty}
    >
      {shown === 'new' && create(props)}
      {typeof shown === 'number' && edit(shown, props)}
    </Panel>
  );
}

/** Tells the panel whether a form has been changed. */
export function useDirty(dirty: boolean, onDirty: (dirty: boolean) => void): void {
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
}
