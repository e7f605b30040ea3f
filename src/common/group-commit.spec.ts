import { GroupCommit } from './group-commit';

describe('GroupCommit', () => {
  let commits: number[][];
  beforeEach(() => {
    commits = [];
  });

  /** A commit that fails if any number is negative. */
  const commit = async (numbers: readonly number[]) => {
    commits.push([...numbers]);
    await new Promise(setImmediate);
    if (numbers.some((each) => each < 0)) throw new Error('negative');
    return numbers.length;
  };
  const addAll = (group: GroupCommit<number, number>, numbers: readonly number[]) =>
    Promise.allSettled(numbers.map((each) => group.add(each))).then((results) =>
      results.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message)),
    );

  it('commits at once, and what arrives meanwhile together, up to the largest number', async () => {
    expect(await addAll(new GroupCommit(commit, { max: 2 }), [1, 2, 3, 4])).toEqual([1, 2, 2, 1]);
    expect(commits).toEqual([[1], [2, 3], [4]]);
  });

  it('fails for all that share a commit, and goes on', async () => {
    const group = new GroupCommit(commit);
    expect(await addAll(group, [1, -2, 3])).toEqual([1, 'negative', 'negative']);
    expect(await addAll(group, [4])).toEqual([1]);
  });

  it('separates what failed together', async () => {
    const group = new GroupCommit(commit, { separates: () => true });
    expect(await addAll(group, [1, -2, 3])).toEqual([1, 'negative', 1]);
    expect(commits).toEqual([[1], [-2, 3], [-2], [3]]);
  });

  it('pauses after each commit', async () => {
    const pauses: number[] = [];
    const pause = (items: number) => Promise.resolve(pauses.push(items));
    await addAll(new GroupCommit(commit, { pause }), [1, 2, 3]);
    expect(pauses).toEqual([1, 2]);
  });
});
