import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, Running } from './start.ts'

/** The guids that a caller's open screen hears of while `work` runs. */
export async function heardDuring(
  address: string,
  who: Caller,
  noun: string,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const abort = new AbortController()
  const guids: string[] = []
  const response = await fetch(`${address}/api/v2/Live`, { headers: who.headers, signal: abort.signal })
  const reading = (async () => {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        if (!line.startsWith('data: {"noun"')) continue
        const change = JSON.parse(line.slice(6)) as { noun: string; guid: string | null }
        if (change.noun === noun) guids.push(change.guid ?? 'some')
      }
    }
  })().catch(() => undefined)
  await sleep(200)
  await work()
  await sleep(500)
  abort.abort()
  await reading
  return guids
}

/** All guids of a list, page by page. */
export async function listed(app: Running, who: Caller, path: string): Promise<string[]> {
  const guids: string[] = []
  for (let after: string | null = ''; after !== null;) {
    const answer: { data: { items: { guid: string }[]; page: { next: string | null } } | null } = await app.call(
      who,
      'GET',
      `${path}?size=10${after ? `&after=${encodeURIComponent(after)}` : ''}`,
    )
    guids.push(...(answer.data?.items ?? []).map((item) => item.guid))
    after = answer.data?.page.next ?? null
  }
  return guids
}

/** The rows of a CSV answer, by heading; good enough for cells without line breaks. */
export function csvRows(body: string): Record<string, string>[] {
  const [head = '', ...lines] = body.replace('\uFEFF', '').trim().split('\r\n')
  const cells = (line: string) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map((m) =>
      (m[1] ?? '').replace(/^"|"$/g, '').replaceAll('""', '"'),
    )
  const names = cells(head)
  return lines.filter(Boolean).map((line) => Object.fromEntries(cells(line).map((cell, i) => [names[i] ?? '', cell])))
}
