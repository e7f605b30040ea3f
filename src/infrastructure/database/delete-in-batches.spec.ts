import { deleteInBatches, BATCH_ROWS } from './delete-in-batches';

it('goes on after a part of which rows have changed meanwhile', async () => {
  const left = [BATCH_ROWS, BATCH_ROWS - 1, 3, 0, 1];
  const execute = jest.fn(() => Promise.resolve(left.shift() ?? 0));
  await deleteInBatches({ execute }, 'DELETE', [1]);
  expect(execute.mock.calls).toEqual(Array.from({ length: 4 }, () => ['DELETE', [1]]));
});
