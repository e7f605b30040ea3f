import { inParts, PART } from './in-parts';

it('goes on after a part of which rows have changed meanwhile', async () => {
  const left = [PART, PART - 1, 3, 0, 1];
  const execute = jest.fn(() => Promise.resolve(left.shift() ?? 0));
  await inParts({ execute }, 'DELETE', [1]);
  expect(execute.mock.calls).toEqual(Array.from({ length: 4 }, () => ['DELETE', [1]]));
});
