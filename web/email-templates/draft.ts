import { useState } from 'react'
import type { Language } from '../../contract/core/languages.ts'
import type { EmailTemplate, TemplateTexts, TemplateVersion } from '../../contract/email-templates.ts'
import type { MessageCategory } from '../../contract/messages.ts'

export interface Draft {
  name: string
  category: MessageCategory
  isFactsOnly: boolean
  languages: Partial<Record<Language, TemplateTexts>>
}

const draftOf = ({ name, category, latest }: EmailTemplate, version: TemplateVersion = latest): Draft => ({
  ...{ name, category },
  isFactsOnly: version.isFactsOnly,
  languages: version.languages as Draft['languages'],
})

export const noTexts: TemplateTexts = { subject: '', preheader: '', bodyHtml: '', button: '' }

/** What is being written, and what it began with. */
export function useDraft(template: EmailTemplate) {
  const [base, setBase] = useState(template)
  const [draft, set] = useState<Draft>(() => draftOf(template))
  /** The version that it goes on from. */
  const [from, setFrom] = useState(template.latest)
  const [language, setLanguage] = useState<Language>('en')
  const isDirty = JSON.stringify(draft) !== JSON.stringify(draftOf(base))
  return {
    base,
    draft,
    set,
    language,
    setLanguage,
    isDirty,
    from,
    /** Goes on from the words of an older version. */
    writeFrom: (version: TemplateVersion) => {
      setFrom(version)
      set(draftOf(base, version))
    },
    /** Begins anew with what was saved; what is being written stays. */
    reset: (saved: EmailTemplate, isKept = false) => {
      setBase(saved)
      if (isKept) return
      setFrom(saved.latest)
      set(draftOf(saved))
    },
  }
}

/** A draft as the API takes it. */
export const sentOf = ({ name, category, isFactsOnly, languages }: Draft) => ({
  ...{ name, category, isFactsOnly },
  languages: {
    en: languages.en ?? noTexts,
    ...(languages.fr ? { fr: languages.fr } : {}),
    ...(languages.ar ? { ar: languages.ar } : {}),
  },
})
