import { useEffect } from 'react'
import { serviceApi } from '../../contract/service.ts'
import { request } from '../core/api/client.ts'

const told = new Set<string>()
const guidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The message whose link led here. */
function messageIn(search: string): { messageGuid?: string } {
  const guid = new URLSearchParams(search).get('m') ?? ''
  return guidShape.test(guid) ? { messageGuid: guid } : {}
}

/**
 * Tells the business, once of each, that its customer has the document before the eyes: a revision that comes while he
 * reads is another one. Staff who look do not count.
 */
export function useViewed(guid: string, isCustomer: boolean, shown: string) {
  useEffect(() => {
    const seen = `${guid} ${shown}`
    if (!isCustomer || told.has(seen)) return
    const tell = () => {
      if (document.visibilityState !== 'visible' || told.has(seen)) return
      told.add(seen)
      // Nobody waits for this, and nothing on the page depends on it.
      request(serviceApi.viewed, { guid, ...messageIn(window.location.search) }).catch(() => told.delete(seen))
    }
    tell()
    document.addEventListener('visibilitychange', tell)
    return () => document.removeEventListener('visibilitychange', tell)
  }, [guid, isCustomer, shown])
}
