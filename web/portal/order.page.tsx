import type { PublicBusiness } from '../../contract/businesses.ts'
import type { SharedFile } from '../../contract/files.ts'
import { serviceApi, type ServiceOrder } from '../../contract/service.ts'
import { servicePath } from '../../contract/places.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { useGuid } from '../core/ui/params.ts'
import { ContractPanel, OpenChange } from './change-panel.tsx'
import { JobNote } from './job-note.tsx'
import { OrderStages } from './order-stages.tsx'
import { OrderInvoices } from './order-invoices.tsx'
import { OrderLetter } from './order-letter.tsx'
import { OrderSteps } from './order-steps.tsx'
import { OrderTalk } from './order-talk.tsx'
import { Banner, ContactPanel, Panel, StaffNote, Toolbar } from './parts.tsx'
import { freshReads, ServiceGate } from './service-gate.tsx'
import { SharedFiles } from './shared-files.tsx'
import { useServiceFormat } from './service-format.ts'

interface ViewProps {
  guid: string
  order: ServiceOrder
  business: PublicBusiness
  jobType: { heading: string; text: string } | null
  files: readonly SharedFile[]
}

function OrderBanner({ order, business }: Omit<ViewProps, 'guid' | 'files' | 'jobType'>) {
  const t = useT('service')
  const names = { business: business.name }
  if (order.status === 'cancelled') {
    return (
      <Banner tone="neutral" icon="stop" title={t('service:order.cancelled.title')}>
        <p>{t('service:order.cancelled.text', names)}</p>
      </Banner>
    )
  }
  if (order.status === 'on_hold') {
    return (
      <Banner tone="warning" icon="clock" title={t('service:order.held.title')}>
        <p>{t('service:order.held.text', names)}</p>
      </Banner>
    )
  }
  return null
}

function Documents({ guid, order }: Omit<ViewProps, 'business' | 'files' | 'jobType'>) {
  const t = useT('service')
  return (
    <Panel title={t('service:order.documents')} className="no-print">
      <div className="stack">
        <DownloadButton op={serviceApi.orderPdf} input={{ guid }} fullWidth>
          {t('service:order.pdf')}
        </DownloadButton>
        {order.quote ? (
          <AppLink to={servicePath('quote', order.quote.serviceGuid)} className="button-link quiet">
            {t('service:order.quote', { number: order.quote.number })}
          </AppLink>
        ) : null}
      </div>
    </Panel>
  )
}

function OrderView({ guid, order, business, files, jobType }: ViewProps) {
  const t = useT('service')
  const f = useServiceFormat(business.timeZone)
  return (
    <div className="service">
      <StaffNote />
      <Toolbar op={serviceApi.orderPdf} input={{ guid }} />
      <OrderBanner order={order} business={business} />
      <OpenChange guid={guid} order={order} />
      <OrderSteps order={order} f={f} />
      <JobNote jobType={jobType} />
      <div className="service-grid">
        <OrderLetter order={order} business={business} />
        <div className="service-rail">
          <ContractPanel order={order} f={f} />
          <OrderStages order={order} f={f} />
          <OrderInvoices order={order} f={f} />
          <Documents guid={guid} order={order} />
          <SharedFiles files={files} link={guid} f={f} />
          <OrderTalk guid={guid} businessName={business.name} f={f} />
          <ContactPanel
            business={business}
            subject={t('service:contact.subject', { document: `${t('service:order.kind')} ${order.number}` })}
          />
        </div>
      </div>
    </div>
  )
}

/** An order before its customer: how far it is, what it comes to, what is to pay. */
export function Page() {
  const guid = useGuid()
  const t = useT('service', 'lines')
  const read = useRead(serviceApi.order, { guid }, freshReads)
  return (
    <ServiceGate
      read={read}
      guid={guid}
      language={({ order }) => order.customer.language}
      title={({ order }) => `${t('service:order.kind')} ${order.number}`}
    >
      {({ order, business, files, jobType }) => (
        <OrderView guid={guid} order={order} business={business} files={files} jobType={jobType} />
      )}
    </ServiceGate>
  )
}
