import type { Selection } from '../../contract/booking-options.ts'
import { pathTo } from '../../contract/nouns.ts'
import { type Request, requestsApi } from '../../contract/requests.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import type { ActionFacts } from '../record/actions.ts'
import { addressText } from '../record/address-text.ts'
import { Reach } from '../record/record-facts.tsx'
import { RecordFrame } from '../record/record-frame.tsx'
import { RecordLink } from '../record/record-link.tsx'

export function Page() {
  const guid = useGuid()
  const read = useRead(requestsApi.get, { guid })
  return <Loaded of={read}>{({ request }) => <Preview request={request} />}</Loaded>
}

function Preview({ request }: { request: Request }) {
  const t = useT('requests')
  const dismiss = useWrite(requestsApi.dismiss)
  const reopen = useWrite(requestsApi.reopen)
  const { guid, version } = request
  const actions = [
    {
      key: 'dismiss',
      op: requestsApi.dismiss,
      label: t('requests:dismiss'),
      icon: 'archive',
      place: 'head',
      isHidden: request.archivedAt !== null,
      confirm: { title: t('requests:dismissTitle'), text: t('requests:dismissText') },
    },
    {
      key: 'reopen',
      op: requestsApi.reopen,
      label: t('requests:reopen'),
      icon: 'undo',
      place: 'head',
      isHidden: request.archivedAt === null,
    },
  ] as const satisfies readonly ActionFacts[]
  return (
    <RecordFrame
      noun="Requests"
      title={request.name}
      subtitle={request.reference}
      badge={request.archivedAt ? <StatusChip status="archived" /> : null}
      listLabel={t('requests:list.title')}
      actions={actions}
      record={request}
      deeds={{
        dismiss: {
          run: async () => {
            await dismiss.mutateAsync({ guid, version })
            toast.success(t('requests:dismissed'))
          },
        },
        reopen: {
          run: async () => {
            await reopen.mutateAsync({ guid, version })
            toast.success(t('requests:reopened'))
          },
        },
      }}
      rail={<Rail request={request} />}
    >
      <div className="stack" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
        <Card title={t('requests:message')}>
          <p className="no-margin" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {request.message}
          </p>
        </Card>
        <Card title={t('requests:answers')}>
          <Answers selections={request.selections} />
        </Card>
      </div>
    </RecordFrame>
  )
}

function Answers({ selections }: { selections: readonly Selection[] }) {
  const t = useT('requests', 'common')
  const f = useFormat()
  const said = ({ value, choices }: Selection): string => {
    if ('isYes' in value) return value.isYes ? t('common:yes') : t('common:no')
    if ('quantity' in value) return value.quantity
    if ('text' in value) return value.text
    if ('day' in value) return f.date(value.day)
    if ('time' in value) return value.time
    if ('address' in value) return addressText(value.address)
    return choices.map(({ label }) => label).join(', ')
  }
  if (selections.length === 0) return <p className="muted no-margin">{t('requests:noAnswers')}</p>
  return <KeyValueList items={selections.map((one) => ({ label: one.label, value: <bdi>{said(one)}</bdi> }))} />
}

function Rail({ request }: { request: Request }) {
  const t = useT('requests')
  const { quote, customer, email, phone, siteAddress } = request
  return (
    <div className="stack" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
      {quote ? (
        <Card title={t('requests:quote')}>
          <div className="stack">
            <p className="no-margin">
              {quote.label} <StatusChip status={quote.displayStatus} ns="quotes" />
            </p>
            <AppLink to={pathTo('Quotes', quote.guid)} className="button-link">
              {t('requests:openQuote')}
            </AppLink>
          </div>
        </Card>
      ) : null}
      <Card title={t('requests:contact')}>
        <KeyValueList
          isStacked
          items={[
            {
              label: t('requests:customer'),
              value: customer ? (
                <RecordLink noun="Customers" guid={customer.guid}>
                  {customer.label}
                </RecordLink>
              ) : null,
              isHidden: !customer,
            },
            { label: t('requests:email'), value: email ? <Reach address={email} /> : null, isHidden: !email },
            { label: t('requests:phone'), value: phone ? <Reach address={phone} isPhone /> : null, isHidden: !phone },
            {
              label: t('requests:site'),
              value: siteAddress ? addressText(siteAddress) : null,
              isHidden: !siteAddress,
            },
            { label: t('requests:wanted'), value: <DateText value={request.wantedOn} />, isHidden: !request.wantedOn },
            { label: t('requests:form'), value: request.form.label },
            { label: t('requests:received'), value: <DateText value={request.createdAt} /> },
          ]}
        />
      </Card>
    </div>
  )
}
