import { useEffect, useRef, useState } from 'react'
import { type Batch, batchesApi, type BatchItem } from '../../contract/batches.ts'
import { useRun } from '../core/api/hooks.ts'

export interface Held {
  batch: Batch
  items: readonly BatchItem[]
}

/** A few are sent one by one, many some at a time. */
const few = 50
const at = (batch: Batch) => (batch.total <= few ? 1 : 10)

const dayMs = 24 * 60 * 60_000
/** That can still be sent, though its customer had an email about it within a day. */
export const isJustEmailed = ({ state, emailedAt }: BatchItem) =>
  state === 'ready' && emailedAt !== null && Date.now() - Date.parse(emailedAt) < dayMs

/** What is chosen at first: not those whose customers had an email about them today. */
const firstChosen = (held: Held | null): ReadonlySet<string> =>
  new Set(held?.items.filter((item) => item.state === 'ready' && !isJustEmailed(item)).map((item) => item.invoiceGuid))
/** What somebody chose, as far as it can still be sent. */
const stillChosen = (held: Held, chosen: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(held.items.flatMap((item) => (item.state === 'ready' ? [item.invoiceGuid] : [])).filter((g) => chosen.has(g)))

/** What a call changed, among all there are. */
const merged = (old: Held, { batch, items }: Held): Held => {
  const changed = new Map(items.map((item) => [item.invoiceGuid, item]))
  return { batch, items: old.items.map((item) => changed.get(item.invoiceGuid) ?? item) }
}

/** A batch that the page sends on while it is open. Leaving the page pauses it: nobody asks for the next any more. */
export function useBatch(first: Held | null) {
  const send = useRun()
  const [held, setHeld] = useState(first)
  const [chosen, setChosen] = useState(() => firstChosen(first))
  const [isRunning, setRunning] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const wish = useRef<'on' | 'stop' | 'left'>('on')
  useEffect(() => {
    wish.current = 'on'
    return () => {
      wish.current = 'left'
    }
  }, [])

  const show = (next: Held) => {
    setHeld(next)
    setChosen((before) => stillChosen(next, before))
    return next
  }
  /** Does something that may be refused, and says so. */
  const attempt = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setError(null)
    try {
      await work()
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  const begun = async (invoiceGuids: readonly string[], templateGuid: string | null) =>
    show(await send(batchesApi.begin, { invoiceGuids: [...invoiceGuids], templateGuid }))
  const step = async (old: Held, action: 'next' | 'stop' | 'finish') =>
    show(merged(old, await send(batchesApi.go, { batchGuid: old.batch.guid, action, count: at(old.batch) })))

  async function sendAll() {
    if (!held) return
    const isNarrowed = held.batch.done === 0 && chosen.size < held.batch.remaining
    let now = isNarrowed ? await begun([...chosen], held.batch.templateGuid) : held
    while (wish.current === 'on' && now.batch.remaining > 0) now = await step(now, 'next')
    if (wish.current === 'stop' && now.batch.remaining > 0) await step(now, 'stop')
  }
  return {
    held,
    chosen,
    setChosen,
    isRunning,
    isBusy,
    error,
    begin: (invoiceGuids: readonly string[]) =>
      attempt(async () => setChosen(firstChosen(await begun(invoiceGuids, null)))),
    /** All of it in other words; what was chosen stays so. */
    dress: (templateGuid: string | null) =>
      attempt(() => begun(held?.items.map(({ invoiceGuid }) => invoiceGuid) ?? [], templateGuid)),
    run: async () => {
      wish.current = 'on'
      setRunning(true)
      await attempt(sendAll)
      setRunning(false)
    },
    stop: () => {
      wish.current = 'stop'
    },
    /** Of a batch of which nothing was sent yet nothing is left to be seen. */
    finish: () =>
      attempt(async () => {
        if (!held) return
        const end = await step(held, 'finish')
        if (end.batch.done + end.batch.failed === 0) setHeld(null)
      }),
  }
}
