import type { OperationId } from '../../api/access.gen';

interface Tab {
  readonly name: 'account' | 'organization' | 'qrCodes' | 'users' | 'keys' | 'allowList' | 'audit';
  readonly needs: OperationId;
}

/** Tabs of the settings, with the operations that they need. */
export const SETTINGS: readonly Tab[] = [
  { name: 'account', needs: 'getMe' },
  { name: 'organization', needs: 'getOrganization' },
  { name: 'qrCodes', needs: 'updateOrganizationQrSettings' },
  { name: 'users', needs: 'listUsers' },
  { name: 'keys', needs: 'listApiKeys' },
  { name: 'allowList', needs: 'listAllowedIps' },
  { name: 'audit', needs: 'listAuditEntries' },
];
