import type { ReactNode } from 'react'
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
  | { type: 'one' | 'many'; field: string; label: string; options: readonly Option[] }
  /** Two day fields: `<field>.gte` and `<field>.lte`. */
  | { type: 'days'; field: string; label: string }
  | {
      type: 'own'
      field: string
      label: string
      render: (value: string | null, set: (value: string | null) => void) => ReactNode
    }

export interface BulkResult {
  results: { guid: string; ok: boolean; message: string }[]
}

export interface BulkAction {
  key: string
  label: string
  icon: IconName
  run: (guids: string[]) => Promise<BulkResult>
  /** What has happened to how many, as a sentence. */
  done: (count: number) => string
  /** Asks first. */
  confirm?: { title: (count: number) => string; text?: string; label: string; isDangerous?: boolean }
  /** Offered in the toast afterwards. */
  undo?: (guids: string[]) => Promise<unknown>
}

export interface ListPage<T> {
  items: T[]
  page: { size: number; total: { value: number; isExact: boolean }; next: string | null }
}
