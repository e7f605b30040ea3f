import { useNavigate } from '@tanstack/react-router';
import { client, queries } from '../../api/client';
import { confirm } from '../../kit/confirm';
import { unwrap } from '../../kit/form';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { useTexts } from '../../texts/texts';
import { calledOf, type Kind, KINDS, type TrackedLink } from './kinds';
import { linkTexts } from './texts';

/** Deletes the link or campaign of the page, after its name was typed, and leads to the list. */
export function useRemove(kind: Kind, link: TrackedLink): () => Promise<void> {
  const t = useTexts(linkTexts);
  const c = useTexts(common);
  const navigate = useNavigate();
  const { path, menu } = KINDS[kind];
  return async () => {
    const one = { context: kind, count: 1, formatted: '1' };
    const yes = await confirm({
      title: t('deleteTitle', one),
      text: t('deleteText', one),
      confirm: c('delete'),
      name: calledOf(link),
    });
    if (!yes) return;
    try {
      await unwrap(client.DELETE(`${path}/{id}`, { params: { path: { id: link.id } } }));
      await navigate({ to: `/${menu}` });
      await queries.invalidateQueries();
      showDone(t('deleted', one));
    } catch (error) {
      showError(error);
    }
  };
}
