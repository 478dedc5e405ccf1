import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { substatusesApi } from '../../contract/substatuses.ts'
import { usersApi } from '../../contract/users.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { Filter } from '../core/ui/table/types.ts'
import { statusText } from '../core/ui/status-chip.tsx'

const most = 100

/** A list's filters by sub-status and by who works on orders: read once somebody looks for them. */
export function usePartFilters(): Filter[] {
  const t = useT('orders', 'common')
  const maySubstatus = useCan(substatusesApi.list)
  const mayPeople = useCan(usersApi.people)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const open = (field: string) => setOpened((before) => new Set([...before, field]))
  const isWanted = (field: string) => opened.has(field) || field in search
  const substatuses = useRead(
    substatusesApi.list,
    { size: most, sort: 'label' },
    { enabled: maySubstatus && isWanted('substatusGuid') },
  )
  const people = useRead(usersApi.people, { size: most }, { enabled: mayPeople && isWanted('personGuid') })
  const substatusOptions = substatuses.data?.items.map(({ guid, label, core }) => ({
    value: guid,
    label: `${label} (${statusText(core, 'orders')})`,
  }))
  const peopleOptions = people.data?.items.map(({ guid, name }) => ({ value: guid, label: name }))
  const filter = (field: string, label: string, options: { value: string; label: string }[] | undefined): Filter => ({
    type: 'one',
    field,
    label,
    options: options ?? null,
    onOpen: () => open(field),
  })
  return [
    ...(maySubstatus ? [filter('substatusGuid', t('orders:substatus.one'), substatusOptions)] : []),
    ...(mayPeople ? [filter('personGuid', t('orders:tabs.people'), peopleOptions)] : []),
  ]
}
