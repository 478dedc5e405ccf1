import '../portal/service.css'
import { Button } from '@mantine/core'
import type { CSSProperties } from 'react'
import type { PublicBusiness } from '../../contract/businesses.ts'
import { isRtl, type Language } from '../../contract/core/languages.ts'
import type { Scheme } from '../../contract/dress.ts'
import { sampleValues } from '../../contract/template-variables.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Letter } from '../portal/letter.tsx'
import { PageScheme } from '../portal/page-scheme.ts'
import { themeVariables } from '../portal/service-colours.ts'

interface SampleProps {
  business: PublicBusiness
  scheme: Scheme
  language: Language
}

/** The page of a customer with an example of an invoice, as the theme dresses it. */
export function SamplePage({ business, scheme, language }: SampleProps) {
  const t = useT('themes', 'service')
  const f = useFormat()
  const { customer, invoice } = sampleValues
  const style = { ...themeVariables(business.theme, scheme), colorScheme: scheme } as CSSProperties
  return (
    <PageScheme value={scheme}>
      <div className="theme-page" style={style} dir={isRtl(language) ? 'rtl' : 'ltr'}>
        <Letter
          isInset
          business={business}
          kind={t('themes:sample.kind')}
          number={invoice.number ?? ''}
          title={invoice.title ?? ''}
          facts={[
            { label: t('themes:sample.for'), value: customer.name },
            { label: t('themes:sample.due'), value: f.date(invoice.dueOn ?? '') },
            { label: t('themes:sample.owing'), value: f.money(invoice.balance ?? 0) },
          ]}
        >
          <p>
            {t('themes:sample.text')}{' '}
            <a className="link" href="#theme-page" onClick={(event) => event.preventDefault()}>
              {t('themes:sample.link')}
            </a>
          </p>
          <Button>{t('themes:sample.button')}</Button>
        </Letter>
      </div>
    </PageScheme>
  )
}
