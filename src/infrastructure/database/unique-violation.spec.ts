import { DatabaseError } from 'pg';
import { violatedConstraint } from './unique-violation';

function violationOf(constraint: string): DatabaseError {
  return Object.assign(new DatabaseError('duplicate key', 0, 'error'), { code: '23505', constraint });
}

describe('violatedConstraint', () => {
  it.each([
    ['links_domain_code_key', 'links_domain_code_key'],
    ['links_domain_code_key_102019', 'links_domain_code_key'],
    ['links_domain_code_key_1020190', 'links_domain_code_key'],
    ['links_code_2_key', 'links_code_2_key'],
  ])('of %s is %s, with and without the shard', (constraint, name) => {
    expect(violatedConstraint(violationOf(constraint))).toBe(name);
  });

  it('is in the message alone when a worker of Citus refuses a row', () => {
    const message = 'duplicate key value violates unique constraint "links_external_id_key_102011"';
    const error = Object.assign(new DatabaseError(message, 0, 'error'), { code: '23505' });
    expect(violatedConstraint(error)).toBe('links_external_id_key');
    expect(violatedConstraint(Object.assign(error, { code: '23502' }))).toBeUndefined();
  });

  it('is undefined for other errors', () => {
    expect(violatedConstraint(new Error('other'))).toBeUndefined();
  });
});
