import { Alert, Button, Radio } from '@mantine/core'
import { useState } from 'react'
import { pathTo } from '../../contract/nouns.ts'
import { mergesApi, type MergeField, type MergeValue, type Side } from '../../contract/merges.ts'
import { tagKey } from '../../contract/core/tagging.ts'
import { formatAbn, formatAcn } from '../../contract/core/abn.ts'
import { languageFacts, type Language } from '../../contract/core/languages.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import type { Answer } from '../core/api/types.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { Dialog, DialogActions } from '../core/ui/dialog.tsx'
import { useGo } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toastWithAction } from '../core/ui/toast.tsx'
import { addressText } from '../record/address-text.ts'
import { useUndoMerge } from './undo-merge.ts'
import { kindText, statusText } from './customer-fields.ts'

interface MergeDialogProps {
  keepGuid: string
  fromGuid: string
  onClose: () => void
  /** Instead of going to the customer that is kept. */
  onMerged?: () => void
}

/** What merging two customers would do, and the choices it leaves. */
export function MergeDialog({ keepGuid, fromGuid, onClose, onMerged }: MergeDialogProps) {
  const t = useT('customers')
  const [isSwapped, setSwapped] = useState(false)
  const pair = isSwapped ? { keepGuid: fromGuid, fromGuid: keepGuid } : { keepGuid, fromGuid }
  const read = useRead(mergesApi.preview, pair)
  return (
    <Dialog title={t('customers:merge.title')} size="xl" onClose={onClose}>
      <Loaded of={read}>
        {(plan) => (
          <Plan
            key={plan.keep.guid}
            plan={plan}
            onSwap={() => setSwapped(!isSwapped)}
            onClose={onClose}
            {...(onMerged ? { onMerged } : {})}
          />
        )}
      </Loaded>
    </Dialog>
  )
}

type PlanAnswer = Answer<typeof mergesApi.preview>

function useValueText() {
  const t = useT('customers')
  const f = useFormat()
  return (field: MergeField, value: MergeValue): string => {
    if (value === null || value === '') return t('customers:merge.none')
    if (typeof value === 'object') return addressText(value)
    if (field === 'abn') return formatAbn(String(value))
    if (field === 'acn') return formatAcn(String(value))
    if (field === 'kind') return kindText(String(value))
    if (field === 'status') return statusText(String(value))
    if (field === 'language') return languageFacts[value as Language].name
    if (field === 'discountBp') return f.percent(Number(value))
    return field === 'termsDays' ? t('customers:termsDays', { count: Number(value) }) : String(value)
  }
}

function Plan({
  plan,
  onSwap,
  onClose,
  onMerged,
}: {
  plan: PlanAnswer
  onSwap: () => void
  onClose: () => void
  onMerged?: () => void
}) {
  const t = useT('customers', 'common')
  const language = useLanguage()
  const listed = (words: readonly string[]) => new Intl.ListFormat(language, { type: 'conjunction' }).format(words)
  const go = useGo()
  const textOf = useValueText()
  const errorText = useErrorText()
  const merge = useWrite(mergesApi.merge)
  const undo = useUndoMerge()
  const [choices, setChoices] = useState<Partial<Record<MergeField, Side>>>({})
  const { keep, from, fields, counts, warnings } = plan
  const isOpen = fields.some(({ field, chosen }) => chosen === null && !choices[field])
  const stays = (['quotes', 'orders', 'invoices', 'payments'] as const).filter((what) => counts[what] > 0)
  const known = new Set(keep.tags.map(tagKey))
  const tags = from.tags.filter((tag) => !known.has(tagKey(tag)))
  const list = from.terms.priceList
  const run = async () => {
    const done = await merge.mutateAsync({
      keepGuid: keep.guid,
      keepVersion: keep.version,
      fromGuid: from.guid,
      fromVersion: from.version,
      choices,
    })
    void toastWithAction(
      t('customers:merge.done', { from: from.displayName, keep: done.customer.displayName }),
      t('common:undo'),
      () => void undo(done.merge.guid),
    )
    onClose()
    if (onMerged) onMerged()
    else await go(pathTo('Customers', keep.guid))
  }
  return (
    <div className="stack">
      <div className="row spread">
        <p className="no-margin">{t('customers:merge.text', { keep: keep.displayName, from: from.displayName })}</p>
        <Button variant="default" onClick={onSwap}>
          {t('customers:merge.swap')}
        </Button>
      </div>
      {warnings.length ? (
        <Alert color="yellow" variant="light">
          <ul className="merge-warnings">
            {warnings.map((warning) => (
              <li key={warning}>{t(`customers:merge.warnings.${warning}`)}</li>
            ))}
          </ul>
        </Alert>
      ) : null}
      {fields.map(({ field, keep: mine, from: theirs, chosen }) => (
        <Radio.Group
          key={field}
          label={t(`customers:merge.fields.${field}`)}
          value={choices[field] ?? chosen ?? ''}
          onChange={(side) => setChoices({ ...choices, [field]: side as Side })}
        >
          <div className="merge-sides">
            <Radio value="keep" label={<bdi>{textOf(field, mine)}</bdi>} />
            <Radio value="from" label={<bdi>{textOf(field, theirs)}</bdi>} />
          </div>
        </Radio.Group>
      ))}
      {tags.length ? <p className="no-margin">{t('customers:merge.tags', { tags: listed(tags) })}</p> : null}
      {list && !keep.terms.priceListGuid ? (
        <p className="no-margin">{t('customers:merge.priceList', { from: from.displayName, name: list.label })}</p>
      ) : null}
      {stays.length ? (
        <p className="muted no-margin">
          {t('customers:merge.stays', {
            what: listed(stays.map((what) => t(`customers:merge.counts.${what}`, { count: counts[what] }))),
            keep: keep.displayName,
            from: from.displayName,
          })}
        </p>
      ) : null}
      {merge.error ? (
        <Alert color="red" variant="light" role="alert">
          {errorText(merge.error)}
        </Alert>
      ) : null}
      <DialogActions>
        <Button variant="default" onClick={onClose} disabled={merge.isPending}>
          {t('common:cancel')}
        </Button>
        <Button loading={merge.isPending} disabled={isOpen} onClick={() => void run().catch(() => undefined)}>
          {t('customers:merge.action')}
        </Button>
      </DialogActions>
    </div>
  )
}
