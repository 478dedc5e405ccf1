import { useEffect } from 'react'
import { serviceApi } from '../../contract/service.ts'
import { request } from '../core/api/client.ts'

const told = new Set<string>()

/** Tells the business, once, that its customer has the document before the eyes. Staff who look do not count. */
export function useViewed(guid: string, isCustomer: boolean) {
  useEffect(() => {
    if (!isCustomer || told.has(guid)) return
    const tell = () => {
      if (document.visibilityState !== 'visible' || told.has(guid)) return
      told.add(guid)
      // Nobody waits for this, and nothing on the page depends on it.
      request(serviceApi.viewed, { guid }).catch(() => told.delete(guid))
    }
    tell()
    document.addEventListener('visibilitychange', tell)
    return () => document.removeEventListener('visibilitychange', tell)
  }, [guid, isCustomer])
}
