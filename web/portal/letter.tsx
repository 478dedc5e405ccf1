import type { ReactNode } from 'react'
import { formatAbn } from '../../contract/core/abn.ts'
import type { PublicBusiness } from '../../contract/businesses.ts'
import { useT } from '../core/i18n/i18n.ts'
import { BusinessLogo } from './business-logo.tsx'
import { ThemeFoot } from './theme-foot.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'

interface Fact {
  label: string
  value: ReactNode
}

const addressLines = ({ address }: PublicBusiness) =>
  address
    ? [address.line1, address.line2, `${address.suburb} ${address.state} ${address.postcode}`].filter(Boolean)
    : []
const shortWebsite = (website: string) => website.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')

function Sender({ business }: { business: PublicBusiness }) {
  const t = useT('service')
  return (
    <div className="letter-from">
      <BusinessLogo business={business} className="letter-logo">
        <span className="letter-name">{business.name}</span>
      </BusinessLogo>
      <address>
        {addressLines(business).map((line) => (
          <span key={line}>{line}</span>
        ))}
        {business.abn ? <span>{t('service:abn', { abn: formatAbn(business.abn) })}</span> : null}
      </address>
    </div>
  )
}

function Foot({ business }: { business: PublicBusiness }) {
  const t = useT('service')
  const parts = [
    business.isBrand ? t('service:businessName', { name: business.legalName }) : business.legalName,
    business.phone,
    business.email,
    business.website ? shortWebsite(business.website) : null,
  ].filter(Boolean)
  return (
    <footer>
      <ThemeFoot theme={business.theme} />
      <div className="letter-foot">
        {parts.map((part) => (
          <span key={part}>{part}</span>
        ))}
      </div>
    </footer>
  )
}

export interface LetterProps {
  business: PublicBusiness
  /** What it is: "Quote", "Tax invoice". */
  kind: string
  number: string
  /** A word beside the number, such as the revision. */
  detail?: string | null
  title: string
  facts: readonly (Fact | null)[]
  children: ReactNode
  /** Below a page header that names it already: only paper says the number again. */
  isInset?: boolean
}

/** The document as a letter on the business's paper. */
export function Letter({ business, kind, number, detail, title, facts, children, isInset = false }: LetterProps) {
  const [Heading, Subheading] = isInset ? (['h2', 'h3'] as const) : (['h1', 'h2'] as const)
  return (
    <article className="card letter" aria-labelledby="letter-title">
      <header className="letter-head">
        <Sender business={business} />
        <div className="letter-what">
          <Heading id="letter-title" className="letter-heading">
            <span className="letter-kind">{kind}</span>{' '}
            <span className={isInset ? 'letter-number print-only' : 'letter-number'}>{number}</span>
          </Heading>
          {detail ? <p className="muted small no-margin">{detail}</p> : null}
        </div>
      </header>
      <dl className="letter-facts">
        {facts
          .filter((fact) => fact !== null)
          .map((fact) => (
            <div key={fact.label}>
              <dt>{fact.label}</dt>
              <dd>{unbroken(fact.value)}</dd>
            </div>
          ))}
      </dl>
      {title ? <Subheading className="letter-title">{unbroken(title)}</Subheading> : null}
      {children}
      <Foot business={business} />
    </article>
  )
}
