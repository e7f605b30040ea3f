import { type ReactNode, useEffect } from 'react';
import type { OperationId } from '../api/access.gen';
import { useMay } from '../api/may';
import { common } from '../texts/common';
import { useTexts } from '../texts/texts';
import { Panel } from './panel';
import { showProblem } from './toasts';

export interface FormPanelProps {
  onClose: () => void;
}

interface Props {
  /** Id of the edited item, or `new`; null while the panel is closed. */
  shown: number | 'new' | null;
  /** The operations of the forms; users without access are told so instead. */
  calls: { readonly create: OperationId; readonly edit: OperationId };
  titles: { readonly create: string; readonly edit: string };
  onClose: () => void;
  create: (props: FormPanelProps) => ReactNode;
  edit: (id: number, props: FormPanelProps) => ReactNode;
}

/** Side panel of `usePanels` with a form to create or edit. */
export function FormPanel({ shown, calls, titles, onClose, create, edit }: Props) {
  const c = useTexts(common);
  const may = useMay(shown === 'new' ? calls.create : calls.edit);
  const refused = shown !== null && !may;
  useEffect(() => {
    if (refused) showProblem(c('readOnly'));
  }, [refused, c]);
  return (
    <Panel
      opened={shown !== null && may}
      title={shown === 'new' ? titles.create : titles.edit}
      onClose={onClose}
      addressed
    >
      {may && shown === 'new' && create({ onClose })}
      {may && typeof shown === 'number' && edit(shown, { onClose })}
    </Panel>
  );
}
