import { filesApi, maxAttachments, type Attachment } from '../../contract/files.ts'
import { useRead } from '../core/api/hooks.ts'
import type { Owner } from './access.ts'

/** The longest page of a list. */
const size = 100

interface Attachments {
  items: readonly Attachment[]
  isLoading: boolean
  error: unknown
  again: () => void
}

/** All live files of a record, newest first: there are two pages at most. */
export function useAttachments({ noun, guid }: Owner): Attachments {
  const input = { noun, owner: guid, size }
  const first = useRead(filesApi.attachments, input)
  const isMore = (first.data?.page.total.value ?? 0) > size
  const second = useRead(filesApi.attachments, { ...input, page: maxAttachments / size }, { enabled: isMore })
  const pages = [first, ...(isMore ? [second] : [])]
  return {
    items: pages.flatMap(({ data }) => data?.items ?? []),
    isLoading: pages.some(({ data, error }) => data === undefined && !error),
    error: pages.find(({ data, error }) => error && data === undefined)?.error ?? null,
    again: () => {
      for (const page of pages) if (page.error) void page.refetch()
    },
  }
}
