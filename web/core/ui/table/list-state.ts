import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import type { Op } from '../../../../contract/core/op.ts'
import { type ListDefaults, viewsApi } from '../../../../contract/views.ts'
import { listDefaultsOf, noteListDefaults, useListDefaults } from '../../api/auth-state.ts'
import { spanOf } from '../../api/business.ts'
import type { May } from '../../api/can.ts'
import { readAhead, useWrite } from '../../api/hooks.ts'
import type { Payload } from '../../api/types.ts'
import { useErrorText } from '../../i18n/errors.ts'
import { toast } from '../toast.tsx'
import type { Column } from './types.ts'

/** The query of a list as text, field by field, plus what only the screen knows: `columns` (shown ones). */
export type ListValues = Record<string, string>

type Change = Record<string, string | number | null | undefined>

export interface ListState {
  values: ListValues
  page: number
  size: number
  sort: string
  search: string
  /** The ids of the columns that were chosen, here or for good; null where none were. */
  columns: readonly string[] | null
  /** The part the API is asked with. */
  query: ListValues
  /** Is anything searched or filtered for? */
  isFiltered: boolean
  /** Changes fields (empty removes); everything but paging goes back to the first page. */
  set: (change: Change, options?: { isReplacing?: boolean }) => void
  clear: () => void
  /** Shows exactly this: a saved view. */
  open: (values: ListValues) => void
}

/** What the list is asked to sort by when the head of the column is pressed. */
export const sortFieldOf = <T>({ id, sort }: Column<T>): string | undefined => (sort === true ? id : sort)

const usualSize = 10
const screenFields = new Set(['columns'])
const frameFields = new Set(['page', 'size', 'sort', 'after', 'columns', 'business'])

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

function changed(values: ListValues, change: Change): ListValues {
  const keepsPage = Object.keys(change).every((key) => key === 'page' || key === 'columns')
  const merged: Change = {
    ...values,
    ...(keepsPage ? {} : { page: null }),
    ...change,
  }
  const pairs = Object.entries(merged).filter(([, value]) => value !== null && value !== undefined && value !== '')
  return Object.fromEntries(pairs.map(([key, value]) => [key, String(value)]))
}

interface Usual {
  defaultSort?: string
  defaultSize?: number
}

/** What the user likes better than what the list has. */
const likedOr = (usual: Usual, liked: ListDefaults | undefined): Usual => ({
  ...usual,
  ...(liked?.sort ? { defaultSort: liked.sort } : {}),
  ...(liked?.size ? { defaultSize: liked.size } : {}),
})

/** What the API is asked with; which columns are shown is the screen's business. */
const queryOf = (
  op: Op,
  { columns: _columns, ...query }: ListValues,
  { defaultSort: sort = '', defaultSize: size = usualSize }: Usual,
) => ({
  size: String(size),
  ...(sort ? { sort } : {}),
  ...spanOf(op),
  ...query,
})

/** Begins what `DataTable` will read of a list whose state is in the address. */
export const readListAhead = <O extends Op>(
  may: May,
  { op, ...usual }: { op: O; defaultSort?: string; defaultSize?: number },
  address: Record<string, unknown>,
) =>
  readAhead(
    may,
    op,
    queryOf(op, readValues(op, address), likedOr(usual, listDefaultsOf(op.can[1]))) as unknown as Payload<O>,
  )

/**
 * Columns and rows per page that are chosen stay for the next time; those of a view that is being looked at are changed
 * in the view alone.
 */
function useRemember(op: Op, liked: ListDefaults | undefined) {
  const text = useErrorText()
  const keep = useWrite(viewsApi.defaults, { onError: (error) => toast.error(text(error)) })
  return (values: ListValues, change: Change) => {
    const isOfView = values.columns !== undefined && values.columns !== liked?.columns?.join(',')
    const kept = {
      ...('columns' in change && !isOfView
        ? { columns: change.columns ? String(change.columns).split(',') : null }
        : {}),
      ...('size' in change ? { size: Number(change.size) } : {}),
    }
    if (Object.keys(kept).length === 0) return
    noteListDefaults({ columns: null, sort: null, size: null, ...liked, subject: op.can[1], ...kept })
    keep.mutate({ subject: op.can[1], ...kept })
  }
}

/** The state of a list: in the address, so that it can be shared and gone back to, or (`isLocal`) in the component. */
export function useListState(
  op: Op,
  { isLocal = false, first = {}, ...given }: Usual & { isLocal?: boolean; first?: ListValues } = {},
): ListState {
  const raw = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const [local, setLocal] = useState(first)
  const known = useListDefaults(op.can[1])
  const liked = isLocal ? undefined : known
  const remember = useRemember(op, liked)
  const usual = likedOr(given, liked)
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
    size: Number(values.size ?? usual.defaultSize ?? usualSize),
    sort: values.sort ?? usual.defaultSort ?? '',
    search: values.search ?? '',
    columns: values.columns?.split(',') ?? liked?.columns ?? null,
    query: queryOf(op, values, usual),
    isFiltered: Object.keys(values).some((key) => !frameFields.has(key)),
    set: (change, options) => {
      if (!isLocal) remember(values, change)
      put(changed(values, change), options?.isReplacing ?? false)
    },
    clear: () =>
      put(Object.fromEntries(Object.entries(values).filter(([key]) => frameFields.has(key) && key !== 'page')), false),
    open: (next) => put(next, false),
  }
}
