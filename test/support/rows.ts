import type { Caller, Running } from './start.ts'

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
