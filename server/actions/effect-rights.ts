import { type ActionEffect, deedsFor } from '../../contract/actions.ts'
import type { Action } from '../../contract/core/op.ts'
import { type EventName, events } from '../../contract/events.ts'
import { type NounName, rightsOf } from '../../contract/nouns.ts'
import type { Actor } from '../core/ctx.ts'
import { may } from '../core/http/permission.ts'

interface Needed {
  can: readonly [Action, string]
  /** What it is called where it is missing. */
  said: string
}

const tagged: Readonly<Partial<Record<NounName, string>>> = {
  Customers: 'edit customers',
  Quotes: 'edit quotes',
  Orders: 'edit orders',
  Invoices: 'edit invoices',
  Products: 'edit products',
}

/** The right that an effect asks of whoever it is done for; telling people needs none, they read what they may read. */
function neededFor(effect: ActionEffect, noun: NounName | null): Needed | null {
  if (effect.type === 'message') return { can: ['create', 'Messages:Create'], said: 'send emails' }
  if (effect.type === 'webhook') return { can: ['update', 'Events:Webhooks'], said: 'use webhooks' }
  if (effect.type === 'tag' && noun)
    return { can: ['update', `${rightsOf(noun)}:Update:Guid`], said: tagged[noun] ?? 'edit this record' }
  const deed = effect.type === 'transition' ? deedsFor(noun)[effect.deed] : undefined
  return deed ? { can: deed.can, said: deed.right } : null
}

/** The first right of an action's effects that somebody lacks, as refusals name it: "hold orders"; null where none. */
export function lackedRight(
  actor: Actor,
  { eventKey, effects }: { eventKey: EventName; effects: readonly ActionEffect[] },
): { index: number; said: string } | null {
  const { noun } = events[eventKey]
  for (const [index, effect] of effects.entries()) {
    const needed = neededFor(effect, noun)
    if (needed && !may(actor, ...needed.can)) return { index, said: needed.said }
  }
  return null
}
