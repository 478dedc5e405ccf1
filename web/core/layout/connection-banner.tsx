import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { connection, maintenance, noteMaintenance } from '../api/connection.ts'
import { refreshReads } from '../api/reads.ts'
import { authCall } from '../api/session.ts'
import { useT } from '../i18n/i18n.ts'
import { useStore } from '../store.ts'

const lookEveryMs = 5000
const lookAtMaintenanceEveryMs = 10_000

/** Asks whether maintenance is over. */
async function lookAtMaintenance(): Promise<boolean> {
  try {
    const { maintenance: state } = (await authCall('GET /Maintenance')) as {
      maintenance?: { isOn: boolean; message: string; until: string | null }
    }
    noteMaintenance(state?.isOn ? state : null)
    return state?.isOn !== true
  } catch {
    return false
  }
}

/**
 * Says that the server is not there or under maintenance, looks again by itself, and reads
 * everything anew when it is back.
 */
export function ConnectionBanner() {
  const t = useT('errors')
  const router = useRouter()
  const state = useStore(connection)
  const said = useStore(maintenance)
  const look = useEffectEvent(async () => {
    if (!said) return refreshReads()
    if (!(await lookAtMaintenance())) return
    refreshReads()
    // A page that could not even open tries again; one that is open, with a form half filled in, is left alone.
    if (router.state.matches.some((match) => match.status === 'error')) await router.invalidate()
  })
  const isFine = state === 'online' && !said
  const isUnderMaintenance = said !== null
  useEffect(() => {
    if (isFine) return
    const again = () => void look()
    if (isUnderMaintenance) again()
    const timer = setInterval(again, isUnderMaintenance ? lookAtMaintenanceEveryMs : lookEveryMs)
    window.addEventListener('online', again)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', again)
    }
  }, [isFine, isUnderMaintenance])
  if (isFine) return null
  return (
    <div className="connection-banner no-print" role="status">
      {said
        ? said.message || t('errors:maintenanceText')
        : state === 'offline'
          ? t('errors:network')
          : t('errors:busy')}
    </div>
  )
}
