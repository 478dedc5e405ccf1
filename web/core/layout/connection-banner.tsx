import { useEffect } from 'react'
import { connection } from '../api/connection.ts'
import { refreshReads } from '../api/reads.ts'
import { useT } from '../i18n/i18n.ts'
import { useStore } from '../store.ts'

const lookEveryMs = 5000

/** Says that the server is not there, looks again by itself, and reads everything anew when it is back. */
export function ConnectionBanner() {
  const t = useT('errors')
  const state = useStore(connection)
  useEffect(() => {
    if (state === 'online') return
    const timer = setInterval(refreshReads, lookEveryMs)
    window.addEventListener('online', refreshReads)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', refreshReads)
    }
  }, [state])
  if (state === 'online') return null
  return (
    <div className="connection-banner no-print" role="status">
      {state === 'busy' ? t('errors:busy') : t('errors:network')}
    </div>
  )
}
