import { useMemo, useState } from 'react'
import type { Action } from '../../contract/core/op.ts'
import { changedCells, newRule, setCell, type CellState, type Draft } from './matrix-state.ts'

const maxSteps = 200

export interface RulesEditor {
  drafts: Draft[]
  changed: Set<string>
  set: (subject: string, action: Action, state: CellState) => void
  change: (key: string, change: Partial<Draft>) => void
  add: (subject: string, action: Action) => void
  remove: (key: string) => void
  undo: (() => void) | null
  /** Back to what was last saved, or to what the server says now. */
  reset: (drafts?: Draft[]) => void
}

interface State {
  saved: Draft[]
  now: Draft[]
  past: Draft[][]
  /** Rules that were taken away since the last save: they come back as they were when the cell is set again. */
  taken: Draft[]
}

/** The rules of a role while they are edited, with a way back for each step. */
export function useRules(first: Draft[], kind: 'staff' | 'guest'): RulesEditor {
  const [state, setState] = useState<State>({ saved: first, now: first, past: [], taken: [] })
  const put = (make: (now: Draft[], taken: Draft[]) => Draft[]) =>
    setState((s) => {
      const next = make(s.now, s.taken)
      const kept = new Set(next.map((rule) => rule.key))
      const gone = s.now.filter((rule) => !kept.has(rule.key))
      return {
        ...s,
        now: next,
        past: [...s.past, s.now].slice(-maxSteps),
        taken: [...s.taken.filter((rule) => !kept.has(rule.key)), ...gone],
      }
    })
  const changed = useMemo(() => changedCells(state.saved, state.now), [state.saved, state.now])
  return {
    drafts: state.now,
    changed,
    set: (subject, action, to) => put((now, taken) => setCell(now, subject, action, to, kind, taken)),
    change: (key, change) => put((now) => now.map((rule) => (rule.key === key ? { ...rule, ...change } : rule))),
    add: (subject, action) => put((now) => [...now, newRule(subject, action, kind, false)]),
    remove: (key) => put((now) => now.filter((rule) => rule.key !== key)),
    undo: state.past.length
      ? () => setState((s) => ({ ...s, now: s.past.at(-1) ?? s.now, past: s.past.slice(0, -1) }))
      : null,
    reset: (drafts) => setState((s) => ({ saved: drafts ?? s.saved, now: drafts ?? s.saved, past: [], taken: [] })),
  }
}
