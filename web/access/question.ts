import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Action } from '../../contract/core/op.ts'
import { isAction } from './words.ts'

export const kindsOfWho = ['me', 'user', 'role', 'guest'] as const
type WhoKind = (typeof kindsOfWho)[number]

/** What is asked, as it stands in the address: `?who=role&guid=…&action=update&subject=Quotes:Send:Guid`. */
export interface Question {
  who: WhoKind
  guid: string | null
  action: Action | null
  subject: string | null
  isOwn: 'true' | 'false' | null
  isAssigned: 'true' | 'false' | null
  status: string | null
  amountCents: number | null
}

const flag = (value: unknown) => (value === 'true' || value === 'false' ? value : null)

function read(raw: Record<string, unknown>): Question {
  const subject = typeof raw.subject === 'string' && /^[A-Za-z][\w:]{0,119}$/.test(raw.subject) ? raw.subject : null
  const amount = Number(raw.amountCents ?? Number.NaN)
  return {
    who: kindsOfWho.find((kind) => kind === raw.who) ?? 'me',
    guid: typeof raw.guid === 'string' && /^[0-9a-f-]{36}$/i.test(raw.guid) ? raw.guid : null,
    action: isAction(raw.action) ? raw.action : null,
    subject,
    isOwn: flag(raw.isOwn),
    isAssigned: flag(raw.isAssigned),
    status: typeof raw.status === 'string' && raw.status ? raw.status.slice(0, 60) : null,
    amountCents: Number.isSafeInteger(amount) && amount >= 0 ? amount : null,
  }
}

/** The question in the address, and how it is changed: an answer can be bookmarked and sent to somebody. */
export function useQuestion(): [Question, (change: Partial<Question>) => void] {
  const raw = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const question = read(raw)
  const change = (given: Partial<Question>) => {
    const next = { ...question, ...given }
    void navigate({
      to: '.',
      search: Object.fromEntries(
        Object.entries(next).filter(([key, value]) => value !== null && !(key === 'who' && value === 'me')),
      ),
      replace: true,
      resetScroll: false,
    })
  }
  return [question, change]
}

/** What is known of one record, as the API asks for it; what is not said is left out. */
export const recordFacts = ({ isOwn, isAssigned, status, amountCents }: Question) => ({
  ...(isOwn ? { isOwn } : {}),
  ...(isAssigned ? { isAssigned } : {}),
  ...(status ? { status } : {}),
  ...(amountCents === null ? {} : { amountCents }),
})
