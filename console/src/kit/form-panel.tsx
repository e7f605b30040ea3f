import type { ReactNode } from 'react';
import { Panel } from './panel';

export interface FormPanelProps {
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

/** Side panel of `usePanels` with a form to create or edit. */
export function FormPanel({ shown, titles, onClose, create, edit }: Props) {
  return (
    <Panel
      opened={shown !== null}
      title={shown === 'new' ? titles.create : titles.edit}
      onClose={onClose}
      addressed
    >
      {shown === 'new' && create({ onClose })}
      {typeof shown === 'number' && edit(shown, { onClose })}
    </Panel>
  );
}
