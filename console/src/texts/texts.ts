import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';

export const LANGUAGES = { en: 'English', ko: '한국어' } as const;
export type Language = keyof typeof LANGUAGES;

const STORED = 'waypost.language';

function firstLanguage(): Language {
  const stored = localStorage.getItem(STORED);
  if (stored === 'en' || stored === 'ko') return stored;
  return navigator.language.startsWith('ko') ? 'ko' : 'en';
}

void i18next.use(initReactI18next).init({
  lng: firstLanguage(),
  fallbackLng: 'en',
  resources: {},
  // Not needed, because React escapes.
  interpolation: { escapeValue: false },
});
document.documentElement.lang = i18next.language;

export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORED, language);
  document.documentElement.lang = language;
  await i18next.changeLanguage(language);
}

export function language(): Language {
  return i18next.language === 'ko' ? 'ko' : 'en';
}

/** `clicks_one` and `clicks_other` are plural forms of `clicks`; Korean only has `_other`. */
type Singular = `${string}_one`;
type KeyOf<Key> = Key extends `${infer Base}_one` | `${infer Base}_other` ? Base : Key & string;

/** The texts of a page or part, in every language. */
export interface Texts<Key extends string> {
  readonly name: string;
  /** Carries the type of the keys; never set. */
  readonly key?: Key;
}

/** Adds texts. A key that is missing in a language is a type error. */
export function defineTexts<En extends Record<string, string>>(
  name: string,
  en: En,
  ko: { [Key in Exclude<keyof En, Singular>]: string },
): Texts<KeyOf<keyof En>> {
  i18next.addResourceBundle('en', name, en);
  i18next.addResourceBundle('ko', name, ko);
  return { name };
}

export type Translate<Key extends string> = (key: Key, values?: Record<string, string | number>) => string;

/** The texts in the chosen language: `const t = useTexts(texts)`. */
export function useTexts<Key extends string>(texts: Texts<Key>): Translate<Key> {
  const { t } = useTranslation(texts.name);
  return t;
}

/** For code outside components. */
export function textOf<Key extends string>(
  texts: Texts<Key>,
  key: Key,
  values?: Record<string, string | number>,
): string {
  return i18next.t(key, { ns: texts.name, ...values });
}
