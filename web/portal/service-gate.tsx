import './service.css'
import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { use, useEffect, type ReactNode } from 'react'
import type { PublicBusiness } from '../../contract/businesses.ts'
import { useUser } from '../core/api/auth-state.ts'
import type { ApiError } from '../core/api/error.ts'
import { showLanguage, useT } from '../core/i18n/i18n.ts'
import type { Language } from '../../contract/core/languages.ts'
import { hasChosenLanguage } from '../core/i18n/languages.ts'
import { LanguageChoice } from '../core/layout/language-choice.tsx'
import { MessagePage } from '../core/layout/message-page.tsx'
import { ErrorState } from '../core/ui/states.tsx'
import type { Dresser } from './service-colours.ts'
import { useBusinessTheme } from './service-theme.ts'
import { useViewed } from './use-viewed.ts'

/** Customers keep a page open for long: it asks again while it is looked at, and whenever one comes back to it. */
export const freshReads = { staleTime: 3000, refetchInterval: 15_000 } as const

/** An address that was mistyped, withdrawn or never existed looks the same to everybody. */
const isGone = (error: ApiError | null) => error !== null && [400, 404, 422].includes(error.responseCode)

function Gone() {
  const t = useT('service')
  return (
    <MessagePage scene="search" title={t('service:gone.title')} text={t('service:gone.text')}>
      <ul className="gone-steps">
        <li>{t('service:gone.newer')}</li>
        <li>{t('service:gone.whole')}</li>
        <li>{t('service:gone.contact')}</li>
      </ul>
    </MessagePage>
  )
}

function Waiting() {
  const t = useT('common')
  return (
    <div className="service-grid" role="status" aria-label={t('common:loading')}>
      <div className="card letter">
        <div className="letter-head">
          <Skeleton height={40} width="40%" />
          <Skeleton height={40} width="25%" />
        </div>
        {[90, 96, 70, 98, 84, 92, 60].map((share) => (
          <Skeleton key={share} height={16} mt="lg" width={`${share}%`} />
        ))}
      </div>
      <div className="card service-panel">
        <Skeleton height={28} width="55%" />
        <Skeleton height={44} mt="lg" />
        <Skeleton height={44} mt="lg" />
      </div>
    </div>
  )
}

const shown = new Map<Language, Promise<void>>()

/**
 * Before the document is drawn the page goes on in the language of its customer, unless the reader chose another one.
 */
function useCustomersLanguage(language: Language | undefined) {
  if (!language || hasChosenLanguage()) return
  const known = shown.get(language) ?? showLanguage(language)
  shown.set(language, known)
  use(known)
}

/** Around each of the customer's pages: waits, says what is wrong, dresses the page and notes that it was seen. */
export function ServiceGate<A extends { business: Pick<PublicBusiness, 'name'> & Dresser }>({
  read,
  guid,
  title,
  language,
  document,
  children,
}: {
  read: UseQueryResult<A, ApiError>
  /** Of the link that was followed; none where the page is everybody’s. */
  guid?: string
  title: (answer: A) => string
  /** That of the customer, where there is one. */
  language?: (answer: A) => Language
  /** The hash of what is shown, where one document may take the place of another. */
  document?: (answer: A) => string | null
  children: (answer: A) => ReactNode
}) {
  const answer = isGone(read.error) ? undefined : read.data
  useCustomersLanguage(answer && language?.(answer))
  const isStaff = useUser() !== null
  useBusinessTheme(answer?.business)
  useViewed(guid ?? '', guid !== undefined && answer !== undefined && !isStaff, (answer && document?.(answer)) ?? '')
  const name = answer ? `${title(answer)} · ${answer.business.name}` : null
  useEffect(() => {
    if (name) window.document.title = name
  }, [name])
  if (answer) {
    return (
      <>
        {children(answer)}
        <LanguageChoice />
      </>
    )
  }
  if (isGone(read.error)) return <Gone />
  if (read.error) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  return <Waiting />
}
