import { MultiSelect, Switch } from '@mantine/core'
import { businessesApi } from '../../contract/businesses.ts'
import type { Conditions } from '../../contract/core/ability.ts'
import type { CatalogueSubject } from '../../contract/roles.ts'
import { statusWord } from '../access/words.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { MoneyInput } from '../core/ui/inputs.tsx'

type Meaning = CatalogueSubject['conditions'][number]

/**
 * Which conditions about records mean something for a subject; a noun as a whole takes what any of its subjects takes.
 */
function meaningOf(
  subject: string,
  catalogue: readonly CatalogueSubject[],
): { conditions: Set<Meaning>; statuses: string[] } {
  const known = catalogue.filter((item) => subject === 'all' || item.subject === subject || item.parent === subject)
  return {
    conditions: new Set(known.flatMap((item) => item.conditions)),
    statuses: [...new Set(known.flatMap((item) => item.statuses))],
  }
}

/** Nothing left of the conditions means: none. */
function tidy(conditions: Conditions): Conditions | null {
  const kept = Object.entries(conditions).filter(
    ([, value]) => value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0),
  )
  return kept.length ? (Object.fromEntries(kept) as Conditions) : null
}

export interface ConditionFieldsProps {
  conditions: Conditions | null
  onChange: (conditions: Conditions | null) => void
  subject: string
  catalogue: readonly CatalogueSubject[]
  isReadOnly: boolean
}

/** The fixed vocabulary of conditions; what means nothing for the subject is not offered unless it is set. */
export function ConditionFields({ conditions, onChange, subject, catalogue, isReadOnly }: ConditionFieldsProps) {
  const t = useT('roles', 'common')
  const mayBusinesses = useCan(businessesApi.list)
  const given = conditions ?? {}
  const { conditions: meaningful, statuses } = meaningOf(subject, catalogue)
  const isOffered = (name: keyof Conditions, meaning: Meaning) => given[name] !== undefined || meaningful.has(meaning)
  const hasBusiness = isOffered('business', 'business')
  const businesses = useRead(businessesApi.list, { size: 100 }, { enabled: mayBusinesses && hasBusiness })
  const change = (part: Partial<Record<keyof Conditions, unknown>>) =>
    onChange(tidy({ ...given, ...part } as Conditions))
  const chosenBusinesses = given.business === undefined ? [] : [given.business].flat()
  const businessNames = new Map(
    (businesses.data?.items ?? []).map((business) => [business.guid, business.tradingName ?? business.legalName]),
  )
  const scopes = (['own', 'assigned'] as const).filter(
    (scope) => meaningful.has(`scope:${scope}`) || given.scope === scope,
  )
  return (
    <div className="stack rule-conditions">
      <Switch
        label={t('roles:conditions.login')}
        disabled={isReadOnly}
        checked={given.isLoginRequired === true}
        onChange={(event) => change({ isLoginRequired: event.currentTarget.checked })}
      />
      <Switch
        label={t('roles:conditions.guest')}
        disabled={isReadOnly}
        checked={given.guestAuthenticationRequired === true}
        onChange={(event) => change({ guestAuthenticationRequired: event.currentTarget.checked })}
      />
      {scopes.length ? (
        <ChoiceInput
          label={t('roles:conditions.scope')}
          disabled={isReadOnly}

          data={[
            { value: 'all', label: t('roles:conditions.scopes.all') },
            ...scopes.map((scope) => ({ value: scope, label: t(`roles:conditions.scopes.${scope}`) })),
          ]}
          value={given.scope ?? 'all'}
          onChange={(scope) => change({ scope: scope === 'all' || scope === null ? undefined : scope })}
        />
      ) : null}
      {isOffered('statusIn', 'statusIn') ? (
        <MultiSelect
          label={t('roles:conditions.statusIn')}
          placeholder={given.statusIn?.length ? '' : t('roles:conditions.anyStatus')}
          disabled={isReadOnly}
          clearable
          data={[...new Set([...statuses, ...(given.statusIn ?? [])])].map((status) => ({
            value: status,
            label: statusWord(status),
          }))}
          value={given.statusIn ?? []}
          onChange={(statusIn) => change({ statusIn })}
        />
      ) : null}
      {isOffered('amountBelowCents', 'amountBelowCents') ? (
        <MoneyInput
          label={t('roles:conditions.amountBelow')}
          placeholder={t('roles:conditions.anyAmount')}
          disabled={isReadOnly}
          value={given.amountBelowCents ?? null}
          onChange={(cents) => change({ amountBelowCents: cents ?? undefined })}
        />
      ) : null}
      {hasBusiness ? (
        <MultiSelect
          label={t('roles:conditions.business')}
          placeholder={chosenBusinesses.length ? '' : t('roles:conditions.anyBusiness')}
          disabled={isReadOnly || !mayBusinesses}
          clearable
          data={[...new Set([...businessNames.keys(), ...chosenBusinesses])].map((guid) => ({
            value: guid,
            label: businessNames.get(guid) ?? guid,
          }))}
          value={chosenBusinesses}
          onChange={(business) => change({ business })}
        />
      ) : null}
    </div>
  )
}
