import { Alert } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useWatch, type Control } from 'react-hook-form'
import { mergesApi } from '../../contract/merges.ts'
import { phone as phoneOf } from '../../contract/core/common.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import type { CustomerValues, SentCustomer } from './customer-form.tsx'

const waitMs = 600
const shortestName = 3

/** Who a customer that is being entered may be already. It only tells: whoever knows better goes on. */
export function AlikeHint({ control }: { control: Control<CustomerValues, unknown, SentCustomer> }) {
  return useCan(mergesApi.alike) ? <Hint control={control} /> : null
}

function Hint({ control }: { control: Control<CustomerValues, unknown, SentCustomer> }) {
  const t = useT('customers')
  const [displayName, abn, email, phone, postcode] = useWatch({
    control,
    name: ['displayName', 'abn', 'email', 'phone', 'billingAddress.postcode'],
  })
  // What is not whole yet tells nothing.
  const typed = JSON.stringify({
    displayName: displayName.trim().length >= shortestName ? displayName.trim() : null,
    abn: abn && abn.replaceAll(/\D/g, '').length === 11 ? abn : null,
    email: email?.includes('@') ? email.trim() : null,
    phone: phone && phoneOf.safeParse(phone).success ? phone : null,
    postcode: postcode?.trim() || null,
  })
  const [settled] = useDebouncedValue(typed, waitMs)
  const given = JSON.parse(settled) as Record<'displayName' | 'abn' | 'email' | 'phone' | 'postcode', string | null>
  const isEnough = [given.displayName, given.abn, given.email, given.phone].some((value) => value !== null)
  const read = useRead(mergesApi.alike, given, { enabled: isEnough, keep: isEnough })
  const items = isEnough ? (read.data?.items ?? []) : []
  return (
    <div aria-live="polite">
      {items.length ? (
        <Alert color="yellow" variant="light" title={t('customers:alike.title', { count: items.length })}>
          <ul className="merge-warnings">
            {items.map(({ guid, displayName: name, suburb, reasons }) => (
              <li key={guid}>
                <AppLink to={pathTo('Customers', guid)} className="link strong">
                  {name}
                </AppLink>
                {suburb ? `, ${suburb}` : ''}
                <span className="muted small">
                  {' · '}
                  {reasons.map((reason) => t(`customers:duplicates.reasons.${reason}`)).join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        </Alert>
      ) : null}
    </div>
  )
}
