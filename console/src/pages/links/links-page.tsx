import { IconLink } from '@tabler/icons-react';
import { LinkPanel } from './link-panel';
import { ListPage } from './list-page';

export function LinksPage() {
  return <ListPage kind="link" icon={IconLink} form={(props) => <LinkPanel {...props} />} />;
}
