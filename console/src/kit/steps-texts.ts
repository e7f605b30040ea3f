import { defineTexts } from '../texts/texts';

export const stepTexts = defineTexts(
  'steps',
  { done: 'Done', missing: 'Missing', waiting: 'Waiting', todo: 'To do' },
  { done: '완료', missing: '빠짐', waiting: '대기 중', todo: '할 일' },
);
