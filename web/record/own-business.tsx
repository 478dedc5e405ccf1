import './record.css'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { nouns, type NounWith } from '../../contract/nouns.ts'
import type { Noun } from '../../contract/noun.ts'
import { OfBusiness } from '../core/api/of-business.ts'
import { useT } from '../core/i18n/i18n.ts'
import { BusinessMark } from '../core/layout/business-mark.tsx'
import { type Businesses, useBusinesses } from '../core/layout/use-businesses.ts'

/** Records that say whose they are; the others are of no business. */
const owned = {
  Quotes: 'quote',
  Orders: 'order',
  Invoices: 'invoice',
  Payments: 'payment',
  Messages: 'message',
  Customers: 'customer',
  Products: 'product',
  JobTypes: 'jobType',
  Themes: 'theme',
  EmailTemplates: 'emailTemplate',
} as const
type Owned = keyof typeof owned
const isOwned = (noun: string): noun is Owned => noun in owned

export interface OwnBusinessProps {
  noun: NounWith<'pages'>
  of: object
  children: ReactNode
}

/**
 * What is asked and done on the page of a record is for the record's own business, whatever business the window works
 * in; where these differ, the page says so and offers to work there.
 */
export function OwnBusiness({ noun, of, children }: OwnBusinessProps) {
  const guid = 'businessGuid' in of && typeof of.businessGuid === 'string' ? of.businessGuid : null
  const own = useBusinesses()
  if (!isOwned(noun) || guid === null || own === null) return <>{children}</>
  const owner = ownerOf(own, noun, guid)
  return (
    <OfBusiness value={owner?.guid ?? null}>
      {owner ? <Whose noun={noun} owner={owner} own={own} /> : null}
      {children}
    </OfBusiness>
  )
}

type Owner = Businesses['businesses'][number]

/** Of a list that businesses share the window's own, if it is one of them; else whose list it is. */
function ownerOf({ business, businesses }: Businesses, noun: Owned, guid: string): Owner | undefined {
  const { pool }: Noun = nouns[noun]
  if (!pool) return businesses.find((one) => one.guid === guid)
  const those = businesses.filter((one) => one[pool] === guid)
  return (
    those.find((one) => one.guid === business.guid) ?? those.find((one) => one.guid === guid) ?? those[0] ?? undefined
  )
}

function Whose({ noun, owner, own }: { noun: Owned; owner: Owner; own: Businesses }) {
  const t = useT('shell')
  const { business, isEverywhere, choose } = own
  const { pool }: Noun = nouns[noun]
  const { guid, name, primaryColour } = owner
  if (isEverywhere)
    return pool ? null : (
      <p className="whose muted small">
        <BusinessMark colours={[primaryColour]} />
        {name}
      </p>
    )
  if (guid === business.guid) return null
  return (
    <div className="whose is-other no-print" role="note">
      <BusinessMark colours={[primaryColour]} />
      <span className="whose-words">{t(`shell:whose.${owned[noun]}`, { name })}</span>
      <Button variant="default" size="compact-sm" onClick={() => void choose(guid)}>
        {t('shell:whose.switch', { name })}
      </Button>
    </div>
  )
}
