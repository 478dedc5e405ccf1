import { type RefObject, useId, useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { ComboList, optionId } from '../combo-list.tsx'
import { type Completing, matching, optionOf, type VariableChoice } from './choices.ts'

type Key = Pick<KeyboardEvent, 'key' | 'isComposing' | 'preventDefault'>

/** The list of variables while somebody writes one, for a line and for the editor alike. */
export function useCompletion(
  choices: readonly VariableChoice[],
  anchor: RefObject<HTMLElement | null>,
  insert: (text: string, length: number) => void,
) {
  const t = useT('editor')
  const id = useId()
  const [asked, setAsked] = useState<Completing | null>(null)
  const [closedAt, setClosedAt] = useState<string | null>(null)
  const [marked, setMarked] = useState(0)
  const found = asked ? matching(choices, asked.query) : []
  const isOpen = asked !== null && found.length > 0 && closedAt === null
  const pick = (text: string | undefined) => {
    if (text === undefined || !asked) return
    insert(text, asked.length)
    setAsked(null)
  }
  return {
    isOpen,
    ask: (next: Completing | null) => {
      if (next?.query !== asked?.query) setMarked(0)
      if (!next) setClosedAt(null)
      if (next?.query !== asked?.query || next?.length !== asked?.length) setAsked(next)
    },
    close: () => setAsked(null),
    /** Whether the key was for the list. */
    onKey: (event: Key): boolean => {
      if (!isOpen || event.isComposing) return false
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step) setMarked((marked + step + found.length) % found.length)
      else if (event.key === 'Enter' || event.key === 'Tab') pick(found[marked]?.insert)
      else if (event.key === 'Escape') setClosedAt(asked.query)
      else return false
      event.preventDefault()
      return true
    },
    aria: {
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen ? optionId(id, marked) : undefined,
    },
    list: isOpen ? (
      <ComboList
        id={id}
        label={t('editor:variables')}
        anchor={anchor}
        minWidth={260}
        options={found.map((choice) => optionOf(choice, t(`editor:types.${choice.type}`)))}
        marked={marked}
        chosen={null}
        nothing={undefined}
        onMark={setMarked}
        onPick={pick}
      />
    ) : null,
  }
}
