import { changeLanguage, useLanguage, useT } from '../i18n/i18n.ts'
import { languageFacts, languages } from '../../../contract/core/languages.ts'

/** All languages side by side, each in its own words: for pages of people who have no menu bar. */
export function LanguageChoice() {
  const t = useT('shell')
  const current = useLanguage()
  return (
    <div
      className="language-choice no-print"
      role="group"
      aria-label={t('shell:language', { name: languageFacts[current].name })}
    >
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          className="link small"
          aria-pressed={language === current}
          onClick={() => changeLanguage(language)}
        >
          {languageFacts[language].name}
        </button>
      ))}
    </div>
  )
}
