import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import type { Op } from '../../../../contract/core/op.ts'
import type { May } from '../../api/can.ts'
import { readAhead } from '../../api/hooks.ts'
import type { Payload } from '../../api/types.ts'
import type { Column } from './types.ts'

/** The query of a list as text, field by field, plus what only the screen knows: `columns` (shown ones). */
export type ListValues = Record<string, string>

export interface ListState {
  values: ListValues
  page: number
  size: number
  sort: string
  search: string
  /** The part the API is asked with. */
  query: ListValues
  /** Is anything searched or filtered for? */
  isFiltered: boolean
  /** Changes fields (empty removes); everything but paging goes back to the first page. */
  set: (change: Record<string, string | number | null | undefined>, options?: { isReplacing?: boolean }) => void
  clear: () => void
  /** Shows exactly this: a saved view. */
  open: (values: ListValues) => void
}

/** What the list is asked to sort by when the head of the column is pressed. */
export const sortFieldOf = <T>({ id, sort }: Column<T>): string | undefined => (sort === true ? id : sort)

const usualSize = 10
const screenFields = new Set(['columns'])
const frameFields = new Set(['page', 'size', 'sort', 'after', 'columns'])

const shapeOf = (op: Op): Record<string, z.ZodType> =>
  'shape' in op.query ? (op.query.shape as Record<string, z.ZodType>) : {}

/** What the address says, without fields the list does not know and values it would refuse. */
function readValues(op: Op, raw: Record<string, unknown>): ListValues {
  const shape = shapeOf(op)
  const pairs = Object.entries(raw).flatMap(([key, value]): [string, string][] => {
    const text = String(value)
    if (text === '') return []
    if (screenFields.has(key)) return [[key, text]]
    return shape[key]?.safeParse(text).success ? [[key, text]] : []
  })
  return Object.fromEntries(pairs)
}

function changed(values: ListValues, change: Record<string, string | number | null | undefined>): ListValues {
  const keepsPage = Object.keys(change).every((key) => key === 'page' || key === 'columns')
  const merged: Record<string, string | number | null | undefined> = {
    ...values,
    ...(keepsPage ? {} : { page: null }),
    ...change,
  }
  const pairs = Object.entries(merged).filter(([, value]) => value !== null && value !== undefined && value !== '')
  return Object.fromEntries(pairs.map(([key, value]) => [key, String(value)]))
}

interface ListDefaults {
  defaultSort?: string
  defaultSize?: number
}

/** What the API is asked with; which columns are shown is the screen's business. */
const queryOf = (
  { columns: _columns, ...query }: ListValues,
  { defaultSort: sort = '', defaultSize: size = usualSize }: ListDefaults,
) => ({
  size: String(size),
  ...(sort ? { sort } : {}),
  ...query,
})

/** Begins what `DataTable` will read of a list whose state is in the address. */
export const readListAhead = <O extends Op>(
  may: May,
  { op, ...defaults }: { op: O; defaultSort?: string; defaultSize?: number },
  address: Record<string, unknown>,
) => readAhead(may, op, queryOf(readValues(op, address), defaults) as unknown as Payload<O>)

/** The state of a list: in the address, so that it can be shared and gone back to, or (`isLocal`) in the component. */
export function useListState(
  op: Op,
  { isLocal = false, defaultSort: sort = '', defaultSize: size = usualSize }: ListDefaults & { isLocal?: boolean } = {},
): ListState {
  const raw = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const [local, setLocal] = useState<ListValues>({})
  const values = isLocal ? local : readValues(op, raw)
  const put = (next: ListValues, isReplacing: boolean) => {
    if (isLocal) setLocal(next)
    else void navigate({ to: '.', search: next, replace: isReplacing, resetScroll: false })
  }
  const isDirty = !isLocal && Object.keys(raw).length !== Object.keys(values).length
  useEffect(() => {
    if (isDirty) void navigate({ to: '.', search: values, replace: true, resetScroll: false })
    // oxlint-disable-next-line react/exhaustive-deps -- only the moment the address turns out to be untidy counts
  }, [isDirty])
  return {
    values,
    page: Number(values.page ?? 1),
    size: Number(values.size ?? size),
    sort: values.sort ?? sort,
    search: values.search ?? '',
    query: queryOf(values, { defaultSort: sort, defaultSize: size }),
    isFiltered: Object.keys(values).some((key) => !frameFields.has(key)),
    set: (change, options) => put(changed(values, change), options?.isReplacing ?? false),
    clear: () =>
      put(Object.fromEntries(Object.entries(values).filter(([key]) => frameFields.has(key) && key !== 'page')), false),
    open: (next) => put(next, false),
  }
}
