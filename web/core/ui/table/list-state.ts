import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import type { Op } from '../../../../contract/core/op.ts'

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

export const defaultSize = 10
const screenFields = new Set(['columns'])
const frameFields = new Set(['page', 'size', 'sort', 'after', 'columns'])

const shapeOf = (op: Op): Record<string, z.ZodType> =>
  'shape' in op.query ? (op.query.shape as Record<string, z.ZodType>) : {}

/** What the address says, without fields the list does not know and values it would refuse. */
export function readValues(op: Op, raw: Record<string, unknown>): ListValues {
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

/** The state of a list: in the address, so that it can be shared and gone back to, or (`isLocal`) in the component. */
export function useListState(
  op: Op,
  { isLocal = false, sort = '', size = defaultSize }: { isLocal?: boolean; sort?: string; size?: number } = {},
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
  const { columns: _columns, ...query } = values
  const shown = { size: String(size), ...(sort ? { sort } : {}), ...query }
  return {
    values,
    page: Number(values.page ?? 1),
    size: Number(values.size ?? size),
    sort: values.sort ?? sort,
    search: values.search ?? '',
    query: shown,
    isFiltered: Object.keys(values).some((key) => !frameFields.has(key)),
    set: (change, options) => put(changed(values, change), options?.isReplacing ?? false),
    clear: () =>
      put(Object.fromEntries(Object.entries(values).filter(([key]) => frameFields.has(key) && key !== 'page')), false),
    open: (next) => put(next, false),
  }
}
