import { pathOf } from '../../contract/nouns.ts'
import { quoteTemplatesApi, type QuoteTemplate } from '../../contract/quote-templates.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Money } from '../core/ui/money.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { DocumentBanner } from '../lines/document-banner.tsx'
import { DocumentLines } from '../lines/document-lines.tsx'
import { TotalsBlock } from '../lines/totals-block.tsx'
import type { ActionFacts } from '../record/actions.ts'
import { archivingActions } from '../record/archiving.ts'
import { RecordFrame } from '../record/record-frame.tsx'
import { RecordTimeline } from '../timeline/record-timeline.tsx'
import { useListed } from './left-out.ts'

const UseTemplateDialog = whenOpen(() => import('./template-dialogs.tsx').then((module) => module.UseTemplateDialog))

export function Page() {
  const guid = useGuid()
  const read = useRead(quoteTemplatesApi.get, { guid })
  return <Loaded of={read}>{({ quoteTemplate }) => <Preview template={quoteTemplate} />}</Loaded>
}

function Preview({ template }: { template: QuoteTemplate }) {
  const t = useT('templates', 'record', 'common', 'lines')
  const go = useGo()
  const listed = useListed()
  const { guid, name, archivedAt } = template
  const isArchived = archivedAt !== null
  const actions = [
    {
      key: 'use',
      op: quoteTemplatesApi.use,
      label: t('templates:use'),
      icon: 'quote',
      place: 'main',
      isNext: true,
      isHidden: isArchived,
    },
    {
      key: 'edit',
      op: quoteTemplatesApi.update,
      label: t('templates:edit'),
      icon: 'edit',
      place: 'head',
      isHidden: isArchived,
    },
    ...archivingActions(t, 'templates', quoteTemplatesApi, { name, archivedAt }),
  ] as const satisfies readonly ActionFacts[]
  return (
    <RecordFrame
      noun="QuoteTemplates"
      title={name}
      subtitle={template.title}
      badge={isArchived ? <StatusChip status="archived" /> : null}
      listLabel={t('templates:list.title')}
      actions={actions}
      record={template}
      deeds={{
        use: { dialog: (close) => <UseTemplateDialog template={{ guid, name }} onClose={close} /> },
        edit: { run: () => go(pathOf('QuoteTemplates', 'edit', guid)) },
      }}
      timeline={<RecordTimeline op={quoteTemplatesApi.timeline} guid={guid} />}
      rail={
        <Card title={t('templates:summary')}>
          <KeyValueList
            items={[
              { label: t('templates:total'), value: <Money cents={template.totals.totalCents} /> },
              { label: t('templates:jobType'), value: template.jobType?.label, isHidden: !template.jobType },
              {
                label: t('templates:validityDays'),
                value:
                  template.validityDays === null
                    ? t('templates:validityDefault')
                    : t('templates:validity', { count: template.validityDays }),
              },
            ]}
          />
        </Card>
      }
    >
      <div className="stack" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
        {template.missing.length > 0 ? (
          <DocumentBanner tone="warning">
            <span>{t('templates:missing', { names: listed(template.missing) })}</span>
          </DocumentBanner>
        ) : null}
        <Card title={t('templates:content')}>
          <div className="stack">
            {template.intro ? <p className="no-margin pre-line">{template.intro}</p> : null}
            <DocumentLines lines={template.lines} priceMode={template.priceMode} />
            <TotalsBlock totals={template.totals} />
            <p className="muted small no-margin">{t('templates:follows')}</p>
          </div>
        </Card>
      </div>
    </RecordFrame>
  )
}
