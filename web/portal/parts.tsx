import { Button, CopyButton } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { PublicBusiness } from '../../contract/businesses.ts'
import type { Op } from '../../contract/core/op.ts'
import { useUser } from '../core/api/auth-state.ts'
import type { Payload } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { Icon } from '../core/ui/icon.tsx'
import type { IconName } from '../core/ui/icons.ts'
import { PrintButton } from '../core/ui/print-button.tsx'
import type { Tone } from '../core/ui/status-chip.tsx'

/** For people of the business who look at what their customer sees. */
export function StaffNote() {
  const t = useT('service')
  const user = useUser()
  if (!user) return null
  return (
    <p className="staff-note no-print">
      <Icon name="peek" size={18} />
      <span>{t('service:staff.note', { name: user.name ?? user.displayName ?? user.authID ?? '' })}</span>
    </p>
  )
}

/** Why a person of the business cannot accept or pay here; null for customers. */
export function useStaffReason(): string | null {
  const t = useT('service')
  return useUser() ? t('service:staff.reason') : null
}

export function Toolbar<O extends Op>({ op, input, children }: { op: O; input: Payload<O>; children?: ReactNode }) {
  const t = useT('service')
  return (
    <div className="service-toolbar no-print">
      <div className="row">{children}</div>
      <div className="row service-tools">
        <DownloadButton op={op} input={input}>
          {t('service:pdf')}
        </DownloadButton>
        <PrintButton />
      </div>
    </div>
  )
}

/**
 * What has become of the document, in one calm sentence above it. `takesFocus` when the visitor's own deed brought it.
 */
export function Banner({
  tone,
  icon,
  title,
  children,
  takesFocus = false,
}: {
  tone: Tone
  icon: IconName
  title: string
  children?: ReactNode
  takesFocus?: boolean
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!takesFocus) return
    heading.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0, behavior: 'smooth' })
  }, [takesFocus])
  return (
    <section className="card service-banner" data-tone={tone} aria-label={title}>
      <span className="service-banner-icon">
        <Icon name={icon} size={26} />
      </span>
      <div className="service-banner-text">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {children}
      </div>
    </section>
  )
}

export function Panel({
  title,
  id,
  children,
  className = '',
}: {
  title?: string
  id?: string
  children: ReactNode
  className?: string
}) {
  return (
    <section
      className={`card service-panel ${className}`}
      {...(id ? { id } : {})}
      {...(title ? { 'aria-label': title } : {})}
    >
      {title ? <h2 className="service-panel-title">{title}</h2> : null}
      {children}
    </section>
  )
}

/** How to reach the business, by tap. */
export function ContactPanel({ business, subject }: { business: PublicBusiness; subject: string }) {
  const t = useT('service')
  const { phone, email, website } = business
  if (!phone && !email && !website) return null
  return (
    <Panel title={t('service:contact.title')} className="no-print">
      <p className="muted no-margin">{t('service:contact.text', { business: business.name })}</p>
      <ul className="contact-list">
        {phone ? (
          <li>
            <Icon name="phone" size={18} />
            <a className="link" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
              <bdi>{phone}</bdi>
            </a>
          </li>
        ) : null}
        {email ? (
          <li>
            <Icon name="mail" size={18} />
            <a className="link" href={`mailto:${email}?subject=${encodeURIComponent(subject)}`}>
              {email}
            </a>
          </li>
        ) : null}
        {website ? (
          <li>
            <Icon name="open" size={18} />
            <a className="link" href={website} target="_blank" rel="noreferrer">
              {website.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')}
            </a>
          </li>
        ) : null}
      </ul>
    </Panel>
  )
}

/** One thing that is copied into another program: an account number, a reference. */
export function CopyRow({ label, value, copied = value }: { label: string; value: string; copied?: string }) {
  const t = useT('service')
  return (
    <div className="copy-row">
      <dt>{label}</dt>
      <dd>
        <bdi className="tabular">{value}</bdi>
        <CopyButton value={copied} timeout={2000}>
          {({ copied: isCopied, copy }) => (
            <Button
              size="compact-sm"
              variant="subtle"
              className="no-print"
              onClick={copy}
              hidden={!('clipboard' in navigator)}
              leftSection={<Icon name={isCopied ? 'check' : 'copy'} size={16} />}
            >
              {isCopied ? t('service:copy.done') : t('service:copy.do')}
              <span className="visually-hidden"> {label}</span>
            </Button>
          )}
        </CopyButton>
      </dd>
    </div>
  )
}

/** On a phone: what it comes to and the way to the deed, as long as the place of the deed is out of sight. */
export function ActionBar({
  target,
  label,
  amount,
  action,
}: {
  target: string
  label: string
  amount: string
  action: string
}) {
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    const place = document.getElementById(target)
    if (!place) return
    const watcher = new IntersectionObserver(([entry]) => setAway(entry ? !entry.isIntersecting : false), {
      rootMargin: '0px 0px -64px',
    })
    watcher.observe(place)
    return () => watcher.disconnect()
  }, [target])
  const go = () => {
    const place = document.getElementById(target)
    place?.scrollIntoView({ behavior: 'smooth', block: 'start' })
    place?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true })
  }
  return (
    <div className="action-bar no-print" data-away={isAway || undefined} inert={!isAway}>
      <div>
        <span className="muted small">{label}</span>
        <span className="strong tabular">{amount}</span>
      </div>
      <Button onClick={go}>{action}</Button>
    </div>
  )
}
