import { covers, SCOPES } from './scopes';

describe('Scopes of an API key', () => {
  it('cover themselves, and a :write its :read', () => {
    for (const held of SCOPES) {
      const covered = SCOPES.filter((scope) => covers(new Set([held]), scope));
      const read = held.replace(/:write$/, ':read');
      expect(covered).toEqual(held === read ? [held] : [read, held]);
    }
  });

  it('cover everything with * and nothing with none', () => {
    expect(SCOPES.filter((scope) => covers(new Set(['*']), scope))).toEqual(SCOPES);
    expect(SCOPES.filter((scope) => covers(new Set(), scope))).toEqual([]);
  });
});
