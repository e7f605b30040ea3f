import { InvitationsService } from '../access/invitations/invitations.service';
import { CreateInvitationRequest } from '../access/invitations/invitations.dto';
import type { Role } from '../access/roles';
import { CreateUserRequest } from '../access/users/users.dto';
import { UsersService } from '../access/users/users.service';
import { randomBytes } from 'node:crypto';
import { DomainError } from '../common/errors/domain-error';
import { toRequest } from '../common/validation/to-request';
import { type Demo, momentOf } from './demo';

const COLLEAGUES: readonly {
  username: string;
  name: string;
  role: Role;
  permissions: string[];
  day: number;
}[] = [
  {
    username: 'demo-editor',
    name: 'Park Seoyeon',
    role: 'EDITOR',
    permissions: ['revenue.view', 'conversion.view'],
    day: 2,
  },
  {
    username: 'demo-analyst',
    name: 'Choi Minjun',
    role: 'VIEWER',
    permissions: ['mau.view', 'segments.view'],
    day: 9,
  },
  { username: 'demo-viewer', name: 'Jung Hayun', role: 'VIEWER', permissions: [], day: 30 },
];
const INVITED = 'yoon.nari@shop.example.com';
const ALL = { page: 0, size: 100 };

/** Colleagues and an open invitation. Nobody knows their passwords; `npm run sign-in` makes links for them. */
export async function fillMembers(demo: Demo): Promise<void> {
  const { caller, clock } = demo;
  const users = demo.get(UsersService);
  const [known] = await users.list(caller, ALL);
  for (const { day, ...colleague } of COLLEAGUES) {
    if (known.some(({ username }) => username === colleague.username)) continue;
    const password = randomBytes(24).toString('base64url');
    const request = toRequest(CreateUserRequest, { ...colleague, password });
    await orTaken(clock.at(momentOf(demo, day), () => users.create(caller, request)));
  }
  const invitations = demo.get(InvitationsService);
  const [, open] = await invitations.list(caller, ALL);
  if (open > 0) return;
  const request = toRequest(CreateInvitationRequest, { email: INVITED, role: 'EDITOR' });
  await orTaken(invitations.create(caller, request));
}

/** Another organization may have a name that exists once in the service: the demo then goes without. */
export async function orTaken<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && error.status === 409) return null;
    throw error;
  }
}
