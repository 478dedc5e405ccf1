import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { customersApi } from '../../contract/customers.ts'
import { ofNone, outcomes } from '../../contract/outcome.ts'
import { revenueStreamsApi } from '../../contract/revenue-streams.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { Filter } from '../core/ui/table/types.ts'

/** What is read once somebody looks at it, or the address names one of it. */
function useLooked(field: string) {
  const [isOpened, setOpened] = useState(false)
  const search = useSearch({ strict: false }) as Record<string, string | undefined>
  const value = search[field]
  return { value, isWanted: isOpened || value !== undefined, onOpen: () => setOpened(true) }
}

/** Filters of quotes by what became of them and where they count; one the report alone sets comes with it. */
export function useOutcomeFilters(): Filter[] {
  const t = useT('quotes')
  const search = useSearch({ strict: false }) as Record<string, string | undefined>
  const stream = useLooked('streamGuid')
  const [mayStreams, mayCustomer] = [useCan(revenueStreamsApi.list), useCan(customersApi.get)]
  const streams = useRead(
    revenueStreamsApi.list,
    { size: 100, sort: 'name' },
    { enabled: mayStreams && stream.isWanted },
  )
  const customerGuid = search['customerGuid']
  const customer = useRead(
    customersApi.get,
    { guid: customerGuid ?? '' },
    { enabled: mayCustomer && customerGuid !== undefined },
  )
  const chosen = (value: string | undefined, options: { value: string; label: string }[] | undefined) => {
    if (value === undefined || options?.some((option) => option.value === value)) return options ?? null
    return [...(options ?? []), { value, label: t('quotes:outcome.chosen') }]
  }
  const none = { value: ofNone, label: t('quotes:outcome.none.stream') }
  const filters: (Filter | false)[] = [
    (mayStreams || stream.value !== undefined) && {
      type: 'one',
      field: 'streamGuid',
      label: t('quotes:outcome.groups.stream'),
      options: chosen(stream.value, [
        ...(streams.data?.items.map(({ guid, name }) => ({ value: guid, label: name })) ?? []),
        none,
      ]),
      onOpen: stream.onOpen,
    },
    {
      type: 'one',
      field: 'outcome',
      label: t('quotes:outcome.filter'),
      options: outcomes.map((value) => ({ value, label: t(`quotes:outcome.${value}`) })),
    },
    { type: 'days', field: 'answeredOn', label: t('quotes:outcome.answered') },
    customerGuid !== undefined && {
      type: 'one',
      field: 'customerGuid',
      label: t('quotes:customer'),
      options: chosen(
        customerGuid,
        customer.data ? [{ value: customerGuid, label: customer.data.customer.displayName }] : [],
      ),
    },
  ]
  return filters.filter((filter) => filter !== false)
}
