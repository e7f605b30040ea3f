import { Menu } from '@mantine/core';
import { IconBan, IconMailForward } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { client, queries, type Schemas } from '../../api/client';
import { isApiError } from '../../api/errors';
import { ActionsMenu, DeleteItem } from '../../kit/actions-menu';
import { confirm } from '../../kit/confirm';
import { unwrap } from '../../kit/form';
import { showDone, showError } from '../../kit/toasts';
import { common } from '../../texts/common';
import { formatNumber } from '../../texts/format';
import { useTexts } from '../../texts/texts';
import { showCheck } from './show-check';
import { domainTexts } from './texts';

export function DomainMenu({ domain }: { domain: Schemas['CustomDomainResponse'] }) {
  const t = useTexts(domainTexts);
  const c = useTexts(common);
  const navigate = useNavigate();
  const { id, domainName: name, status, deletionRequested } = domain;
  const params = { path: { id } };

  const verify = async () => {
    const checked = await unwrap(client.POST('/custom-domains/{id}/verify', { params }));
    await queries.invalidateQueries();
    showCheck(checked);
  };
  const revoke = async () => {
    const question = { title: t('revokeTitle'), text: t('revokeText'), confirm: t('revoke'), danger: true };
    if (!(await confirm(question))) return;
    await unwrap(client.POST('/custom-domains/{id}/revoke', { params }));
    await queries.invalidateQueries();
    showDone(t('revoked'), () => void verify().catch(showError));
  };
  const requestDeletion = async () => {
    const title = t('requestDeletion');
    if (!(await confirm({ title, text: t('requestText'), confirm: title }))) return;
    await unwrap(client.POST('/custom-domains/{id}/request-deletion', { params }));
    await queries.invalidateQueries();
    showDone(t('requested'));
  };
  const remove = async () => {
    if (!(await confirm({ title: t('deleteTitle'), text: t('deleteText'), confirm: c('delete'), name })))
      return;
    try {
      await unwrap(client.DELETE('/custom-domains/{id}', { params }));
    } catch (error) {
      const uses = usesIn(error);
      if (!uses) throw error;
      const question = { title: t('inUseTitle'), text: t('inUseText', uses), confirm: t('deleteAnyway') };
      if (!(await confirm({ ...question, name }))) return;
      await unwrap(client.DELETE('/custom-domains/{id}', { params: { ...params, query: { force: true } } }));
    }
    showDone(t('deleted'));
    await navigate({ to: '/domains' });
    await queries.invalidateQueries();
  };
  const act = (run: () => Promise<void>) => () => void run().catch(showError);

  return (
    <ActionsMenu width={240}>
      {(status === 'VERIFIED' || status === 'ACTIVE') && (
        <Menu.Item leftSection={<IconBan size={16} />} onClick={act(revoke)}>
          {t('revoke')}
        </Menu.Item>
      )}
      {!deletionRequested && (
        <Menu.Item leftSection={<IconMailForward size={16} />} onClick={act(requestDeletion)}>
          {t('requestDeletion')}
        </Menu.Item>
      )}
      <DeleteItem onClick={act(remove)} />
    </ActionsMenu>
  );
}

/** The number of links and campaigns because of which a domain cannot be deleted. */
function usesIn(error: unknown): { links: string; campaigns: string } | null {
  if (!isApiError(error) || error.code !== 'DOMAIN_IN_USE') return null;
  const { links, campaigns }: { links?: unknown; campaigns?: unknown } = error;
  return { links: formatNumber(Number(links ?? 0)), campaigns: formatNumber(Number(campaigns ?? 0)) };
}
