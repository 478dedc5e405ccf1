import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { bulkResult } from '../../../../contract/core/common.ts'
import type { Op } from '../../../../contract/core/op.ts'
import type { IconName } from '../icons.ts'
import type { Option } from '../fields.tsx'

export interface Column<T> {
  id: string
  header: string
  cell: (item: T) => ReactNode
  /** The field of the list's `sort`; `true` when it is the id. */
  sort?: string | true
  align?: 'end'
  /** Words of any length: one line, cut where the room ends, whole on hover. Among several, its share of the room. */
  grow?: number
  /** Such words take two lines before they are cut. */
  isTall?: boolean
  /** Left out where a table has little room, unless it was chosen. */
  isSpare?: boolean
  /** Not shown until it is chosen. */
  isHidden?: boolean
  /**
   * Where it stands on a phone: the head of the card (one column), beside the head, a line below,
   * nowhere. `line` when not said.
   */
  card?: 'title' | 'side' | 'line' | 'none'
}

export type Filter =
  | {
      type: 'one' | 'many'
      field: string
      label: string
      /** Null while they are read. */
      options: readonly Option[] | null
      /** For choices that are read when somebody looks at them. */
      onOpen?: () => void
    }
  /** Two day fields: `<field>.gte` and `<field>.lte`. */
  | { type: 'days'; field: string; label: string }
  | {
      type: 'own'
      field: string
      label: string
      render: (value: string | null, set: (value: string | null) => void) => ReactNode
    }

export type BulkResult = z.infer<typeof bulkResult>

interface BulkButton {
  key: string
  /** Whose right it takes. */
  op: Op
  label: string
  icon: IconName
}
/** Goes on with the rows on a page of its own. */
interface BulkPage extends BulkButton {
  to: (guids: readonly string[]) => string
}
/** Does something with the rows at once: the operation takes `{ action: key, guids }` and tells of each row. */
export interface BulkDeed extends BulkButton {
  op: Op<string, z.ZodType, z.ZodType, typeof bulkResult>
  /** Said when it is done, of how many. */
  said: (count: number) => string
  /** Asked first. */
  confirm?: { title: (count: number) => string; text?: string }
  isDangerous?: boolean
  /** Offered with what was said: the action that takes it back. */
  undo?: string
  /** Asked for in a form of its own, which does it and tells what became of each row. */
  form?: (props: BulkFormProps) => ReactNode
}
/** What can be done with many rows, as data. */
export type BulkAction = BulkPage | BulkDeed

export interface BulkFormProps {
  rows: readonly { guid: string; version: number }[]
  onClose: () => void
  onDone: (result: BulkResult) => void
}

export interface ListPage<T> {
  items: T[]
  page: { size: number; total: { value: number; isExact: boolean }; next: string | null }
}
