import { Skeleton } from '@mantine/core'
import type { CSSProperties } from 'react'
import type { Op } from '../../../contract/core/op.ts'
import { useFormat } from '../i18n/format.ts'
import { useT } from '../i18n/i18n.ts'
import type { Namespace } from '../i18n/phrases.ts'
import { statusText, toneOf } from './status-chip.tsx'
import { useListState } from './table/list-state.ts'
import { Money } from './money.tsx'

export interface StatusTilesProps {
  /** The list operation below: a tile sets its `status` filter. */
  op: Op
  label: string
  ns: Namespace
  /** One per status, in the order shown; undefined while loading. */
  items: readonly { status: string; count: number; totalCents: number | null }[] | undefined
  /** The statuses that have a tile; all when not said. */
  statuses?: readonly string[]
  field?: string
  /** Beside the counts; not for those who see no money. */
  hasAmounts?: boolean
}

/** Count and amount per status; a click filters the list below, a second click shows everything again. */
export function StatusTiles({ op, label, ns, items, statuses, field = 'status', hasAmounts = true }: StatusTilesProps) {
  useT('common', ns)
  const { number } = useFormat()
  const state = useListState(op)
  const known = new Map(items?.map((item) => [item.status, item]))
  const shown = statuses ?? items?.map((item) => item.status) ?? []
  return (
    <div
      className="status-tiles no-print"
      role="group"
      aria-label={label}
      style={{ '--tiles': shown.length, '--half': Math.ceil(shown.length / 2) } as CSSProperties}
    >
      {shown.map((status) => {
        const isOn = state.values[field] === status
        const item = known.get(status)
        return (
          <button
            key={status}
            type="button"
            className="status-tile card"
            data-tone={toneOf(status)}
            aria-pressed={isOn}
            onClick={() => state.set({ [field]: isOn ? null : status })}
          >
            <span className="status-tile-label">{statusText(status, ns)}</span>
            {items ? (
              <>
                <span className="status-tile-count tabular">{number(item?.count ?? 0)}</span>
                {hasAmounts ? (
                  <span className="status-tile-amount">
                    <Money cents={item?.totalCents ?? 0} />
                  </span>
                ) : null}
              </>
            ) : (
              <Skeleton height={38} width="70%" mt={6} />
            )}
          </button>
        )
      })}
    </div>
  )
}
