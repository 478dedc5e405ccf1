import { Suspense, lazy } from 'react'
import { maintenanceApi } from '../../../contract/maintenance.ts'
import { useAuth } from '../api/auth-state.ts'
import { useCan } from '../api/can.ts'
import { useRead } from '../api/hooks.ts'
import { greeting } from '../api/live.ts'
import { useT } from '../i18n/i18n.ts'
import { useStore } from '../store.ts'
import { openOverlay } from './overlays.ts'
import { TwoStepBarrier } from './two-step-barrier.tsx'

const TryingBanner = lazy(() => import('./trying-banner.tsx').then((module) => ({ default: module.TryingBanner })))

/** What is unusual about this session: a role that is only tried, maintenance that keeps the others out. */
export function SessionBanners() {
  const trying = useAuth().permissions?.trying
  return (
    <>
      <TwoStepBarrier />
      {trying ? (
        <Suspense>
          <TryingBanner role={trying} />
        </Suspense>
      ) : null}
      <MaintenanceReminder />
      <HoldReminder />
      <DamageReminder />
    </>
  )
}

/** Super users work on during maintenance: they are reminded that nobody else can. */
function MaintenanceReminder() {
  const t = useT('shell')
  const mayEnd = useCan(maintenanceApi.set)
  const { isHeard } = useStore(greeting)
  const read = useRead(maintenanceApi.get, {}, { enabled: mayEnd && isHeard, staleTime: 60_000 })
  if (!mayEnd || !read.data?.maintenance.isOn) return null
  return (
    <div className="session-banner no-print" role="status">
      <span>{t('shell:maintenance.others')}</span>
      <button type="button" className="link" onClick={() => openOverlay('maintenance')}>
        {t('shell:maintenance.manage')}
      </button>
    </div>
  )
}

/**
 * After a backup was restored nothing is sent or charged until an administrator lets it:
 * whoever sends knows that it waits.
 */
function HoldReminder() {
  const t = useT('shell')
  const mayRelease = useCan(maintenanceApi.release)
  const { isHeard, isHeld } = useStore(greeting)
  const read = useRead(maintenanceApi.hold, {}, { enabled: mayRelease && isHeard, staleTime: 60_000 })
  if (!mayRelease)
    return isHeld ? (
      <div className="session-banner no-print" role="status">
        <span>{t('shell:hold.waits')}</span>
      </div>
    ) : null
  if (!read.data?.hold) return null
  return (
    <div className="session-banner no-print" role="status">
      <span>{t('shell:hold.banner')}</span>
      <button type="button" className="link" onClick={() => openOverlay('hold')}>
        {t('shell:hold.review')}
      </button>
    </div>
  )
}

/** Whoever operates the product hears of stored files that are gone or damaged until they are back. */
function DamageReminder() {
  const t = useT('shell')
  const mayCheck = useCan(maintenanceApi.checkFiles)
  const { isDamaged } = useStore(greeting)
  if (!mayCheck || !isDamaged) return null
  return (
    <div className="session-banner no-print" role="status">
      <span>{t('shell:storedFiles.banner')}</span>
      <button type="button" className="link" onClick={() => openOverlay('stored-files')}>
        {t('shell:storedFiles.review')}
      </button>
    </div>
  )
}
