import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { jobTypesApi } from '../../contract/job-types.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { Filter } from '../core/ui/table/types.ts'

const field = 'jobTypeGuid'

/**
 * A list's filter by kind of job; none for those who know of no kinds. They are read once somebody looks for one.
 * `more` stand behind them.
 */
export function useJobTypeFilter(more: readonly { value: string; label: string }[] = []): Filter[] {
  const t = useT('common')
  const may = useCan(jobTypesApi.list)
  const [isOpened, setOpened] = useState(false)
  const isSet = field in useSearch({ strict: false })
  const { data } = useRead(jobTypesApi.list, { size: 100, sort: 'name' }, { enabled: may && (isOpened || isSet) })
  if (!may) return []
  const options = data ? [...data.items.map(({ guid, name }) => ({ value: guid, label: name })), ...more] : null
  return [{ type: 'one', field, label: t('common:jobType'), options, onOpen: () => setOpened(true) }]
}
