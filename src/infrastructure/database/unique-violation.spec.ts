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

  it('is undefined for other errors', () => {
    expect(violatedConstraint(new Error('other'))).toBeUndefined();
  });
});
