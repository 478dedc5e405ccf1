import { TagsInput } from '@mantine/core'
import { email } from '../../contract/core/common.ts'
import type { Composed } from '../../contract/message-writes.ts'
import { useT } from '../core/i18n/i18n.ts'
import { unbroken } from '../core/ui/unbroken.tsx'

type ComposedOffer = Composed['offered'][number]

const roles = ['customer', 'contact', 'thread'] as const

interface RecipientsFieldProps {
  label: string
  value: string[]
  onChange: (addresses: string[]) => void
  offered: readonly ComposedOffer[]
  error: string | undefined
  description?: string
  isRequired?: boolean
  autoFocus?: boolean
}

/** Addresses: those of the customer by what they are to them, or any other; and why nothing reaches some of them. */
export function RecipientsField(props: RecipientsFieldProps) {
  const { label, value, onChange, offered, error, description, isRequired = false, autoFocus = false } = props
  // Those of its options, too: fetched when the first one is drawn, they would have the whole page wait.
  const t = useT('compose', 'inbound')
  const known = new Map(offered.map((one) => [one.address.toLowerCase(), one]))
  const groups = roles.flatMap((role) => {
    const items = offered.filter((one) => one.role === role && !value.includes(one.address))
    return items.length === 0
      ? []
      : [{ group: t(`compose:roles.${role}`), items: items.map(({ address }) => ({ value: address, label: address })) }]
  })
  const closed = value.flatMap((address) => {
    const reason = known.get(address.toLowerCase())?.suppressed
    return reason ? [{ address, reason }] : []
  })
  const wrong = value
    .filter((address) => !email.safeParse(address).success)
    .map((address) => t('compose:noAddress', { address }))
  return (
    <div>
      <TagsInput
        label={label}
        description={description}
        value={value}
        onChange={onChange}
        data={groups}
        renderOption={({ option }) => <Option offer={known.get(option.value.toLowerCase())} address={option.value} />}
        splitChars={[',', ' ', ';']}
        acceptValueOnBlur
        clearable={false}
        error={error && wrong.length > 0 ? wrong.join(' ') : error}
        withAsterisk={isRequired}
        aria-required={isRequired}
        {...(autoFocus ? { 'data-autofocus': true } : {})}
        {...(value.length ? {} : { placeholder: 'name@example.com' })}
      />
      {error || wrong.length === 0 ? null : (
        <p className="small no-margin compose-closed" role="status">
          {wrong.join(' ')}
        </p>
      )}
      {closed.map(({ address, reason }) => (
        <p key={address} className="small no-margin compose-closed" role="status">
          {unbroken(t(`compose:suppressed.${reason}`, { address }))}
        </p>
      ))}
    </div>
  )
}

function Option({ offer, address }: { offer: ComposedOffer | undefined; address: string }) {
  const t = useT('inbound')
  return (
    <span className="compose-offer">
      <span>{offer?.name ? `${offer.name} · ${address}` : address}</span>
      {offer?.suppressed ? (
        <span className="small muted">{t(`inbound:suppressed.reasons.${offer.suppressed}`)}</span>
      ) : null}
    </span>
  )
}
