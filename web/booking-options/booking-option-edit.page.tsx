import { inLanguage } from '../../contract/booking-options.ts'
import { bookingOptionsApi, type BookingOption } from '../../contract/booking-options-api.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'
import { useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { archivingActions } from '../record/archiving.ts'
import { RecordFrame } from '../record/record-frame.tsx'
import { useSaving } from '../record/saving.tsx'
import { OptionBuilder } from './option-builder.tsx'
import { bookingOptionFields, valuesOfOption } from './option-fields.tsx'

export function Page() {
  const guid = useGuid()
  // What is being typed must not change under the fingers: the record is read once.
  const read = useRead(bookingOptionsApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  return <Loaded of={read}>{({ bookingOption }) => <Editor key={bookingOption.guid} first={bookingOption} />}</Loaded>
}

function Editor({ first }: { first: BookingOption }) {
  const t = useT('options', 'record')
  const language = useLanguage()
  const mayWrite = useCan(bookingOptionsApi.update)
  const update = useWrite(bookingOptionsApi.update)
  const { base, round, save, restart, dialog } = useSaving({
    first,
    noun: 'bookingOption',
    fields: bookingOptionFields,
    send: async (version, changes) => {
      const { bookingOption } = await update.mutateAsync({ guid: first.guid, version, ...changes })
      return bookingOption
    },
  })
  const name = inLanguage(base.label, language)
  return (
    <RecordFrame
      noun="BookingOptions"
      title={name}
      subtitle={<UsedOn products={base.products} />}
      badge={first.archivedAt ? <StatusChip status="archived" /> : null}
      listLabel={t('options:list.title')}
      actions={archivingActions(t, 'options', bookingOptionsApi, { name, archivedAt: first.archivedAt })}
      record={first}
    >
      <OptionBuilder
        key={round}
        guid={base.guid}
        defaults={valuesOfOption(base)}
        added={base.addedProducts}
        saveLabel={t('options:save')}
        isReadOnly={!mayWrite}
        save={async (_input, changes) => {
          const saved = await save(changes)
          toast.success(t('options:saved', { name: saved.label.en }))
          restart(saved)
        }}
      />
      {dialog}
    </RecordFrame>
  )
}

function UsedOn({ products }: { products: BookingOption['products'] }) {
  const t = useT('options')
  if (products.length === 0) return t('options:unused')
  return (
    <>
      {t('options:usedOnProducts')}{' '}
      {products.slice(0, 5).map((product, i) => (
        <span key={product.guid}>
          {i > 0 ? ', ' : ''}
          <AppLink to={pathTo('Products', product.guid)}>{product.label}</AppLink>
        </span>
      ))}
      {products.length > 5 ? ` ${t('options:andMore', { count: products.length - 5 })}` : null}
    </>
  )
}
