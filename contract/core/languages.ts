/** Every language the product speaks; English is the one that others fall back to. A language is one entry. */
export const languageFacts = {
  en: { name: 'English', locale: 'en-AU', direction: 'ltr' },
  fr: { name: 'Français', locale: 'fr', direction: 'ltr' },
  ar: { name: 'العربية', locale: 'ar', direction: 'rtl' },
} as const
export type Language = keyof typeof languageFacts
export const languages = ['en', 'fr', 'ar'] as const satisfies readonly Language[]

export const isRtl = (language: Language): boolean => languageFacts[language].direction === 'rtl'
