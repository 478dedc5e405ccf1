import { useState } from 'react'
import { businessesApi } from '../../contract/businesses.ts'
import type { Composed } from '../../contract/message-writes.ts'
import type { Message } from '../../contract/messages.ts'
import { useRead } from '../core/api/hooks.ts'
import { useUser } from '../core/api/auth-state.ts'
import { Loaded } from '../core/ui/states.tsx'
import { type About, wayOf } from './about.ts'
import { ComposeForm } from './compose-form.tsx'
import { type ComposeValues, newValues, valuesOf } from './compose-values.ts'
import { keptDraft } from './kept-draft.ts'

export interface ComposerProps {
  about: About
  /** A draft, or one that waits: it is changed. */
  message?: Message | undefined
  /** What an answer begins with. */
  start?: Partial<Pick<ComposeValues, 'to' | 'subject' | 'bodyHtml' | 'templateGuid' | 'attached'>> | undefined
  /** Before the fields: what it is about. */
  lead?: React.ReactNode
  /** Where the way by keyboard leads on. */
  startsIn?: 'subject' | 'body'
  onDone: (made: Message | null) => void
  onClose?: () => void
}

/** Where a message is written: what it is made of on one side, what becomes of it on the other. */
export function Composer(props: ComposerProps) {
  const { by, guid } = props.about
  const [since] = useState(() => ({ guid }))
  const read = useRead(wayOf[by].load, since, { staleTime: 0 })
  const business = useRead(businessesApi.current, {})
  return (
    <Loaded of={business}>
      {({ business: { timeZone } }) => (
        <Loaded of={read}>
          {({ composed }) =>
            composed ? <Begun {...props} key={`${by}.${guid}`} composed={composed} timeZone={timeZone} /> : null
          }
        </Loaded>
      )}
    </Loaded>
  )
}

function Begun({ composed, timeZone, ...props }: ComposerProps & { composed: Composed; timeZone: string }) {
  const { about, message, start } = props
  const userGuid = useUser()?.guid ?? ''
  const [{ key, first, kept }] = useState(() => {
    const blank = message ? valuesOf(message, composed, timeZone) : { ...newValues(composed, timeZone), ...start }
    const name = `draft.${userGuid}.${message ? `message.${message.guid}` : `${about.by}.${about.guid}`}`
    return { key: name, first: blank, kept: keptDraft(name, blank) }
  })
  return <ComposeForm {...props} composed={composed} storedAs={key} first={first} kept={kept} />
}
