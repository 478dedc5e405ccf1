import { useT } from '../i18n/i18n.ts'
import { ChoiceInput } from '../ui/choice-input.tsx'
import type { PageRoute } from './route.ts'
import type { useBusinesses } from './use-businesses.ts'

interface BusinessChoiceProps {
  /** What the page does for one business. */
  kind: NonNullable<PageRoute['ofOne']>
  own: NonNullable<ReturnType<typeof useBusinesses>>
}

/** Which business a page is for. */
export function BusinessChoice({ kind, own: { business, businesses, make } }: BusinessChoiceProps) {
  const t = useT('shell')
  return (
    <section className="one-business card no-print" aria-label={t('shell:business.one')}>
      <ChoiceInput
        label={t('shell:business.one')}
        description={t(`shell:business.${kind}`, { name: business.name })}
        data={businesses.map(({ guid, name }) => ({ value: guid, label: name }))}
        value={business.guid}
        onChange={(guid) => {
          if (guid && guid !== business.guid) void make(guid)
        }}
      />
    </section>
  )
}
