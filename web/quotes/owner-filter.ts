import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { usersApi } from '../../contract/users.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { Filter } from '../core/ui/table/types.ts'

const field = 'ownerGuid'

/** The list's filter by who looks after a quote. People are read once somebody looks for one. */
export function useOwnerFilter(): Filter[] {
  const t = useT('quotes')
  const may = useCan(usersApi.people)
  const [isOpened, setOpened] = useState(false)
  const isSet = field in useSearch({ strict: false })
  const { data } = useRead(usersApi.people, { size: 100 }, { enabled: may && (isOpened || isSet) })
  if (!may) return []
  const options = data?.items.map(({ guid, name }) => ({ value: guid, label: name })) ?? null
  return [{ type: 'one', field, label: t('quotes:owner'), options, onOpen: () => setOpened(true) }]
}
