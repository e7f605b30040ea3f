import { ShortUrlResponse_healthStatus } from '../../api/values.gen';
import { FilterChoice, FilterDay, FilterText } from '../../kit/filters';
import { useTexts } from '../../texts/texts';
import { linkTexts } from './texts';
import { type Choice, useApps, useCreators, useDomains } from './use-choices';

const CHOSEN = ['customDomainId', 'enabled', 'archived', 'expired', 'health', 'appId', 'createdBy'] as const;
const DAYS = ['createdAfter', 'createdBefore', 'expiresAfter', 'expiresBefore'] as const;

type Chosen = (typeof CHOSEN)[number];
type SharedFilters = Record<Chosen | (typeof DAYS)[number] | 'utmCampaign', string>;
export type Choices = Record<Chosen, readonly Choice[]>;

/** Values of filters common to links and campaigns; a filter without values has no field. */
export function useFilterChoices(): Choices {
  const t = useTexts(linkTexts);
  const creators = useCreators();
  const domains = useDomains();
  const apps = useApps();
  return {
    customDomainId: [{ value: 'default', label: t('defaultDomain') }, ...domains],
    enabled: [
      { value: 'true', label: t('on') },
      { value: 'false', label: t('off') },
    ],
    archived: [
      { value: 'all', label: t('archivedToo') },
      { value: 'true', label: t('archivedOnly') },
    ],
    expired: [
      { value: 'false', label: t('notExpired') },
      { value: 'true', label: t('expired') },
    ],
    health: ShortUrlResponse_healthStatus.map((value) => ({ value, label: t(value) })),
    appId: apps,
    createdBy: creators,
  };
}

/** Display name of a filter's value. */
export function shownValue(choices: Choices, key: string, value: string): string {
  const chosen = CHOSEN.find((one) => one === key);
  return (chosen && choices[chosen].find((choice) => choice.value === value)?.label) ?? value;
}

interface Props {
  choices: Choices;
  view: SharedFilters;
  change: (change: Partial<SharedFilters>) => void;
}

export function SharedFields({ choices, view, change }: Props) {
  const t = useTexts(linkTexts);
  const field = (key: keyof SharedFilters) => ({
    label: t(`filter_${key}`),
    value: view[key],
    onChange: (value: string) => change({ [key]: value }),
  });
  return (
    <>
      {CHOSEN.filter((key) => choices[key].length > 0).map((key) => (
        <FilterChoice key={key} {...field(key)} data={choices[key]} />
      ))}
      <FilterText {...field('utmCampaign')} max={200} />
      {DAYS.map((key) => (
        <FilterDay key={key} {...field(key)} />
      ))}
    </>
  );
}
