import { useEffect, useState } from 'react'
import { filesApi, type FileSize } from '../../contract/files.ts'
import { fetchFile } from '../core/api/client.ts'

/** The browser asks whether it still may, and has the bytes only once. */
export const contentOptions = { cache: 'no-cache', timeoutMs: 60_000 } as const

interface Wanted {
  guid: string
  size: FileSize
  /** The link of a customer's page. */
  link?: string | undefined
}
interface Content {
  url: string | null
  hasFailed: boolean
}
const nothing: Content = { url: null, hasFailed: false }

/** An address within this page for the bytes of a file: the session's headers cannot go with a picture's own. */
export function useContentUrl({ guid, size, link }: Wanted, isWanted = true): Content {
  const [content, setContent] = useState(nothing)
  useEffect(() => {
    if (!isWanted) return
    const stop = new AbortController()
    let url: string | null = null
    fetchFile(
      filesApi.content,
      { guid, size, ...(link ? { link } : {}) },
      { ...contentOptions, signal: stop.signal },
    ).then(
      ({ blob }) => {
        if (stop.signal.aborted) return
        url = URL.createObjectURL(blob)
        setContent({ url, hasFailed: false })
      },
      () => stop.signal.aborted || setContent({ url: null, hasFailed: true }),
    )
    return () => {
      stop.abort()
      setContent(nothing)
      if (url) URL.revokeObjectURL(url)
    }
  }, [guid, size, link, isWanted])
  return content
}
