import { planPeriod } from './plan-periods';

describe('plan periods', () => {
  it.each([
    ['2026-01-15', '2026-01-15', '2026-01-15', '2026-02-15'],
    ['2026-01-15', '2026-02-14', '2026-01-15', '2026-02-15'],
    ['2026-01-15', '2026-02-15', '2026-02-15', '2026-03-15'],
    ['2026-01-31', '2026-02-27', '2026-01-31', '2026-02-28'],
    ['2026-01-31', '2026-02-28', '2026-02-28', '2026-03-31'],
    ['2026-01-31', '2026-03-30', '2026-02-28', '2026-03-31'],
    ['2026-01-31', '2028-02-28', '2028-01-31', '2028-02-29'],
    ['2026-01-31', '2028-02-29', '2028-02-29', '2028-03-31'],
    ['2026-01-30', '2026-12-31', '2026-12-30', '2027-01-30'],
    ['2026-03-31', '2026-01-01', '2025-12-31', '2026-01-31'],
  ])('of a plan that started on %s: %s is in %s to %s', (began, date, start, end) => {
    expect(planPeriod(began, date)).toMatchObject({ start, end });
  });

  it('follow each other without gap or overlap', () => {
    for (const began of ['2024-02-29', '2025-08-31', '2025-12-01']) {
      let last = planPeriod(began, '2024-01-01');
      for (let time = Date.UTC(2024, 0, 2); time < Date.UTC(2027, 0, 1); time += 86_400_000) {
        const date = new Date(time).toISOString().slice(0, 10);
        const period = planPeriod(began, date);
        expect(period.start <= date && date < period.end).toBe(true);
        if (period.number !== last.number) {
          expect(period).toMatchObject({ start: last.end, number: last.number + 1 });
          expect(date).toBe(period.start);
        }
        last = period;
      }
    }
  });
});
