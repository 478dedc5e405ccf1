import { useEffect, useState } from 'react'
import { businessesApi } from '../../contract/businesses.ts'
import { filesApi } from '../../contract/files.ts'
import { request } from '../core/api/client.ts'
import { dropReads, queryClient, readKey } from '../core/api/hooks.ts'
import { phrase, useT } from '../core/i18n/i18n.ts'
import { useStore } from '../core/store.ts'
import { toast } from '../core/ui/toast.tsx'
import type { Owner } from './access.ts'
import { shrunk } from './shrink.ts'
import { makeUploads, type Sending, type Uploads } from './uploads.ts'

/** A part on a slow line takes its time. */
const timeoutMs = 60_000

/** Pictures are drawn smaller before they leave, unless the business keeps what they say of place and time. */
async function prepared(file: File): Promise<Blob> {
  if (!file.type.startsWith('image/')) return file
  const { business } = await queryClient.fetchQuery({
    queryKey: readKey(businessesApi.current, {}),
    queryFn: ({ signal }) => request(businessesApi.current, {}, { signal }),
  })
  return business.photoLocation === 'strip' ? shrunk(file) : file
}

/** The files that are on their way to a record. */
export function useUploads({ noun, guid }: Owner): Uploads & { sending: readonly Sending[] } {
  useT('files')
  const [uploads] = useState(() =>
    makeUploads({
      prepare: prepared,
      begin: (start, signal) => request(filesApi.create, start, { signal, timeoutMs }),
      part: (upload, index, base64, signal) =>
        request(filesApi.part, { guid: upload, index, base64 }, { signal, timeoutMs }),
      finish: (upload, sha256, signal) =>
        request(filesApi.finish, { guid: upload, ...(sha256 ? { sha256 } : {}) }, { signal, timeoutMs }),
      attach: async (fileGuid, signal) => {
        await request(filesApi.attach, { noun, ownerGuid: guid, items: [{ fileGuid }] }, { signal })
        void dropReads(queryClient, ['Files'])
      },
      onDone: (count) => toast.success(phrase('files:added', { count })),
    }),
  )
  useEffect(() => () => uploads.stopAll(), [uploads])
  return { ...uploads, sending: useStore(uploads.rows) }
}
