import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/ui/toast.tsx'

/** Names one after the other, as the language writes them. */
export function useListed(): (names: readonly string[]) => string {
  const language = useLanguage()
  return (names) => new Intl.ListFormat(language, { type: 'conjunction' }).format(names)
}

/** Says what a template could not bring along. */
export function useLeftOut(): (missing: readonly string[]) => void {
  const t = useT('templates')
  const listed = useListed()
  return (missing) => {
    if (missing.length > 0) toast.warning(t('templates:missing', { names: listed(missing) }))
  }
}
