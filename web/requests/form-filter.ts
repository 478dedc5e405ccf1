import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { requestFormsApi } from '../../contract/requests.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { Filter } from '../core/ui/table/types.ts'

const field = 'formGuid'

/** The list's filter by the form that a request came by. Forms are read once somebody looks for one. */
export function useFormFilter(): Filter[] {
  const t = useT('requests')
  const may = useCan(requestFormsApi.list)
  const [isOpened, setOpened] = useState(false)
  const isSet = field in useSearch({ strict: false })
  const { data } = useRead(requestFormsApi.list, { size: 100, sort: 'name' }, { enabled: may && (isOpened || isSet) })
  if (!may) return []
  const options = data?.items.map(({ guid, name }) => ({ value: guid, label: name })) ?? null
  return [{ type: 'one', field, label: t('requests:form'), options, onOpen: () => setOpened(true) }]
}
