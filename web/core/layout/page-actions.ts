import { createContext, useContext, useEffect, useRef, type ReactNode } from 'react'
import { createStore } from '../store.ts'
import type { IconName } from '../ui/icons.ts'

/** Something that can be done with what is open; the palette offers it, too. */
export interface PageAction {
  label: string
  icon: IconName
  run: () => void
}

/** What stands in the head of the page in front of the user and can be done now. */
export const pageActions = createStore<readonly PageAction[]>([])

/** True inside the head of a page. */
export const InPageHead = createContext(false)

const waitMs = 5000
let awaited: { label: string; until: number } | null = null

/** Does the action of this name as soon as the page that has it is there. */
export function runWhenThere(label: string) {
  const there = pageActions.get().find((action) => action.label === label)
  if (there) return there.run()
  awaited = { label, until: Date.now() + waitMs }
}

/** Offers actions of the head of a page in the palette, as long as they stand there. */
export function usePageActions(
  actions: readonly { label: ReactNode; icon: IconName; onClick: () => void; isOffered: boolean }[],
) {
  const isInHead = useContext(InPageHead)
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  const offered = actions.flatMap(({ label, icon, isOffered }) =>
    isInHead && isOffered && typeof label === 'string' ? [{ label, icon }] : [],
  )
  const key = JSON.stringify(offered)
  useEffect(() => {
    const mine = (JSON.parse(key) as { label: string; icon: IconName }[]).map((action): PageAction => ({
      ...action,
      run: () => latest.current.find(({ label }) => label === action.label)?.onClick(),
    }))
    if (!mine.length) return undefined
    pageActions.set([...pageActions.get(), ...mine])
    const wanted = mine.find(({ label }) => awaited && label === awaited.label && Date.now() < awaited.until)
    if (wanted) {
      awaited = null
      wanted.run()
    }
    return () => pageActions.set(pageActions.get().filter((action) => !mine.includes(action)))
  }, [key])
}
