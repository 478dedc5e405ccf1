import { maxFileBytes, partBytes, fileSentences, type FileRecord, type Upload } from '../../contract/files.ts'
import { ApiError } from '../core/api/error.ts'
import { createStore, type Store } from '../core/store.ts'

/** A file on its way, as its row shows it. */
export interface Sending {
  key: string
  name: string
  /** How much of it is there, from 0 to 1. */
  share: number
  state: 'waiting' | 'sending' | 'failed'
  /** What went wrong with the last try. */
  error?: unknown
}

/** How files are sent; what it all goes through is given, so that it can be tried without a server. */
export interface Ways {
  /** What is sent instead of the file: a smaller picture. */
  prepare: (file: File) => Promise<Blob>
  begin: (
    start: { clientKey: string; fileName: string; bytes: number; base64?: string; takenAt: string },
    signal: AbortSignal,
  ) => Promise<{ file?: FileRecord | undefined; upload?: Upload | undefined }>
  part: (guid: string, index: number, base64: string, signal: AbortSignal) => Promise<unknown>
  finish: (guid: string, sha256: string | undefined, signal: AbortSignal) => Promise<{ file: FileRecord }>
  attach: (fileGuid: string, signal: AbortSignal) => Promise<unknown>
  /** Told when nothing is on its way any more, with how many arrived since the last time. */
  onDone: (count: number) => void
}

/** Files that are sent at the same time, one part of each. */
const atOnce = 3

interface Task {
  key: string
  file: File
  body: Blob | null
  stop: AbortController
}

export interface Uploads {
  rows: Store<readonly Sending[]>
  add: (files: readonly File[]) => void
  stop: (key: string) => void
  retry: (key: string) => void
  stopAll: () => void
}

const refusal = (message: string) => new ApiError(message, 'VALIDATION_FAILED', 422)

/** Whether the same file could be taken at another try. */
export const mayTryAgain = (error: unknown): boolean =>
  !(error instanceof ApiError) || ![400, 403, 404, 413, 422].includes(error.responseCode)

/** Bytes as base64, in pieces that fit on a call. */
export async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return btoa(text)
}

/** The hash where the browser has one: only pages that came safely may ask for it. */
async function hashOf(blob: Blob): Promise<string | undefined> {
  const digest = await globalThis.crypto.subtle?.digest('SHA-256', await blob.arrayBuffer())
  return digest && [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Sends files three at once; one that failed goes on from the parts that arrived. */
export function makeUploads(ways: Ways): Uploads {
  const rows = createStore<readonly Sending[]>([])
  const tasks = new Map<string, Task>()
  let arrived = 0

  const change = (key: string, what: Partial<Sending>) =>
    rows.set(rows.get().map((row) => (row.key === key ? { ...row, ...what } : row)))
  const drop = (key: string) => {
    tasks.delete(key)
    rows.set(rows.get().filter((row) => row.key !== key))
  }

  const sendParts = async ({ key, stop }: Task, body: Blob, upload: Upload) => {
    const there = new Set(upload.received)
    change(key, { share: there.size / upload.parts })
    for (let index = 0; index < upload.parts; index++) {
      if (there.has(index)) continue
      stop.signal.throwIfAborted()
      const part = body.slice(index * partBytes, (index + 1) * partBytes)
      await ways.part(upload.guid, index, await base64Of(part), stop.signal)
      there.add(index)
      change(key, { share: there.size / upload.parts })
    }
    return (await ways.finish(upload.guid, await hashOf(body), stop.signal)).file
  }

  const send = async (task: Task) => {
    const { key, file, stop } = task
    if (file.size === 0) throw refusal(fileSentences.empty)
    const body = (task.body ??= await ways.prepare(file))
    if (body.size > maxFileBytes) throw refusal(fileSentences.tooLarge)
    const begun = await ways.begin(
      {
        clientKey: key,
        fileName: file.name.slice(0, 200),
        bytes: body.size,
        takenAt: new Date(file.lastModified).toISOString(),
        ...(body.size <= partBytes ? { base64: await base64Of(body) } : {}),
      },
      stop.signal,
    )
    const made = begun.file ?? (begun.upload && (await sendParts(task, body, begun.upload)))
    if (!made) throw refusal(fileSentences.damaged)
    await ways.attach(made.guid, stop.signal)
  }

  const isBusy = () => rows.get().some((row) => row.state !== 'failed')
  const settle = () => {
    next()
    if (isBusy() || arrived === 0) return
    const count = arrived
    arrived = 0
    ways.onDone(count)
  }

  const run = async (task: Task) => {
    change(task.key, { state: 'sending' })
    try {
      await send(task)
      arrived += 1
      drop(task.key)
    } catch (error) {
      if (!task.stop.signal.aborted) change(task.key, { state: 'failed', error })
    }
    settle()
  }

  const next = () => {
    const free = atOnce - rows.get().filter((row) => row.state === 'sending').length
    for (const { key } of rows
      .get()
      .filter((row) => row.state === 'waiting')
      .slice(0, Math.max(0, free))) {
      const task = tasks.get(key)
      if (task) void run(task)
    }
  }

  const stop = (key: string) => {
    tasks.get(key)?.stop.abort()
    drop(key)
    settle()
  }

  return {
    rows,
    add: (files) => {
      const added = files.map((file) => ({ key: crypto.randomUUID(), file, body: null, stop: new AbortController() }))
      for (const task of added) tasks.set(task.key, task)
      const waiting = added.map(({ key, file }) => ({ key, name: file.name, share: 0, state: 'waiting' as const }))
      rows.set([...rows.get(), ...waiting])
      next()
    },
    stop,
    retry: (key) => {
      change(key, { state: 'waiting', error: undefined })
      next()
    },
    stopAll: () => {
      for (const key of [...tasks.keys()]) stop(key)
    },
  }
}
