import { useEffect, useState } from 'react'
import { businessesApi } from '../../contract/businesses.ts'
import { filesApi } from '../../contract/files.ts'
import { request } from '../core/api/client.ts'
import { dropReads, queryClient, readKey } from '../core/api/hooks.ts'
import { useOwner } from '../core/api/of-business.ts'
import { phrase, useT } from '../core/i18n/i18n.ts'
import { useStore } from '../core/store.ts'
import { toast } from '../core/ui/toast.tsx'
import type { Owner } from './access.ts'
import { shrunk } from './shrink.ts'
import { makeUploads, type Sending, type Uploads } from './uploads.ts'

/** A part on a slow line takes its time. */
const timeoutMs = 60_000

/** Pictures are drawn smaller before they leave, unless the business keeps what they say of place and time. */
async function prepared(file: File, own: string | null): Promise<Blob> {
  if (!file.type.startsWith('image/')) return file
  const { business } = await queryClient.fetchQuery({
    queryKey: readKey(businessesApi.current, {}, own),
    queryFn: ({ signal }) => request(businessesApi.current, {}, { signal, business: own }),
  })
  return business.photoLocation === 'strip' ? shrunk(file) : file
}

interface OnTheirWay extends Uploads {
  sending: readonly Sending[]
}

/** The files that are on their way to a record. */
export function useUploads({ noun, guid }: Owner): OnTheirWay {
  const business = useOwner()
  return useSending(async (fileGuid, signal) => {
    await request(filesApi.attach, { noun, ownerGuid: guid, items: [{ fileGuid }] }, { signal, business })
    void dropReads(queryClient, ['Files'])
  })
}

/** The files that are on their way; `arrived` puts one where it belongs. */
export function useSending(arrived: (fileGuid: string, signal: AbortSignal) => Promise<void>): OnTheirWay {
  useT('files')
  const business = useOwner()
  const [uploads] = useState(() =>
    makeUploads({
      prepare: (file) => prepared(file, business),
      begin: (start, signal) => request(filesApi.create, start, { signal, timeoutMs, business }),
      part: (upload, index, base64, signal) =>
        request(filesApi.part, { guid: upload, index, base64 }, { signal, timeoutMs, business }),
      finish: (upload, sha256, signal) =>
        request(filesApi.finish, { guid: upload, ...(sha256 ? { sha256 } : {}) }, { signal, timeoutMs, business }),
      attach: arrived,
      onDone: (count) => toast.success(phrase('files:added', { count })),
    }),
  )
  useEffect(() => () => uploads.stopAll(), [uploads])
  return { ...uploads, sending: useStore(uploads.rows) }
}
