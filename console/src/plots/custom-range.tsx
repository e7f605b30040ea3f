import '@mantine/dates/styles.css';
import 'dayjs/locale/ko';
import { DatePicker, DatesProvider } from '@mantine/dates';
import { useState } from 'react';
import { language, useTexts } from '../texts/texts';
import { type Days, MAX_DAYS, plusDays } from './range';
import { rangeTexts } from './range-texts';

interface Props {
  days: Days;
  today: string;
  onChoose: (days: Days) => void;
}

/** A calendar for choosing first and last day. Loaded lazily by `range-picker.tsx`. */
export function CustomRange({ days, today, onChoose }: Props) {
  const t = useTexts(rangeTexts);
  const [chosen, setChosen] = useState<[string | null, string | null]>([days.from, days.to]);
  const [from, to] = chosen;
  const choosing = from !== null && to === null;
  return (
    <DatesProvider
      settings={{
        locale: language(),
        firstDayOfWeek: language() === 'ko' ? 0 : 1,
        // Without a colour of their own, whose contrast would be too low in a chosen range.
        weekendDays: [],
      }}
    >
      <DatePicker
        type="range"
        allowSingleDateInRange
        hideOutsideDates
        ariaLabels={{
          previousMonth: t('previousMonth'),
          nextMonth: t('nextMonth'),
          previousYear: t('previousYear'),
          nextYear: t('nextYear'),
          previousDecade: t('previousDecade'),
          nextDecade: t('nextDecade'),
        }}
        value={chosen}
        defaultDate={days.to}
        maxDate={choosing && plusDays(from, MAX_DAYS - 1) < today ? plusDays(from, MAX_DAYS - 1) : today}
        {...(choosing && { minDate: plusDays(from, 1 - MAX_DAYS) })}
        onChange={(range) => {
          setChosen(range);
          const [first, last] = range;
          if (first !== null && last !== null) onChoose({ from: first, to: last });
        }}
      />
    </DatesProvider>
  );
}
