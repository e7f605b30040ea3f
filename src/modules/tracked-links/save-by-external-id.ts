import { NotFound, ValidationFailed } from '../../common/errors/errors';
import { ExternalIdTaken } from './tracked-links.errors';

/** How one kind is found, created and changed. */
interface Saving<R> {
  /** The id of what has the external id. */
  find(): Promise<number | null>;
  create(): Promise<R>;
  update(id: number): Promise<R>;
}

/** Calls lose a race only against a creation or deletion that has committed, so few tries suffice. */
const MAX_TRIES = 10;

/** Changes what has an external id, or creates it. Of concurrent calls one creates it, and the others change it. */
export async function saveByExternalId<R>(saving: Saving<R>): Promise<{ isNew: boolean; saved: R }> {
  for (let attempt = 1; ; attempt++) {
    const id = await saving.find();
    try {
      if (id === null) return { isNew: true, saved: await saving.create() };
      return { isNew: false, saved: await saving.update(id) };
    } catch (error) {
      const lost = id === null ? error instanceof ExternalIdTaken : error instanceof NotFound;
      if (!lost || attempt === MAX_TRIES) throw error;
    }
  }
}

/** The request with the external id of the path. @throws ValidationFailed when it names another one */
export function withExternalId<T extends { externalId?: string | null }>(
  externalId: string,
  request: T,
): T & { externalId: string } {
  if (request.externalId && request.externalId !== externalId)
    throw ValidationFailed.field('externalId', 'must be that of the path');
  return { ...request, externalId };
}
