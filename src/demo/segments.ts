import { toRequest } from '../common/validation/to-request';
import { CreateSegmentRequest } from '../modules/segments/segments.dto';
import { SegmentsService } from '../modules/segments/segments.service';
import type { Demo } from './demo';

const ALL = { page: 0, size: 50 };

const SEGMENTS = [
  {
    name: 'Big spenders',
    description: 'Invited to the private sale',
    conditionGroups: [
      { conditions: [{ propKey: 'activity.purchase.sum', propOp: 'GTE', propValue: 100_000 }] },
    ],
  },
  {
    name: 'Gold members in Seoul',
    conditionGroups: [
      {
        conditions: [
          { propKey: 'custom.grade', propOp: 'EQ', propValue: 'gold' },
          { propKey: 'custom.city', propOp: 'EQ', propValue: 'Seoul' },
        ],
      },
    ],
  },
  {
    name: 'May get advertising by text message',
    conditionGroups: [
      {
        conditions: [
          { propKey: 'smsAdOptIn', propOp: 'EQ', propValue: true },
          { propKey: 'optedOut.sms', propOp: 'EQ', propValue: false },
        ],
      },
    ],
  },
  {
    name: 'Frequent visitors without a purchase',
    description: 'A voucher might help',
    conditionGroups: [
      {
        conditions: [
          { propKey: 'custom.visits', propOp: 'GTE', propValue: 30 },
          { propKey: 'activity.purchase.count', propOp: 'NOT_EXISTS' },
        ],
      },
    ],
  },
];

export async function fillSegments({ caller, get }: Demo): Promise<void> {
  const segments = get(SegmentsService);
  const [known] = await segments.list(caller, ALL);
  for (const fields of SEGMENTS) {
    if (known.some(({ name }) => name === fields.name)) continue;
    const { id } = await segments.create(caller, toRequest(CreateSegmentRequest, fields));
    await segments.evaluate(caller, id);
  }
}
