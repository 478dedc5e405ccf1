import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { forgetReads } from '../core/api/reads.ts'
import { loadPermissions } from '../core/api/session.ts'
import { Loaded } from '../core/ui/states.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { useOwnAccount, type OwnUser } from './own-account.ts'
import { PasswordCard } from './password-card.tsx'
import { TwoStepCard } from './two-step-card.tsx'

/** Password, two-step login and sessions. Where the role asks for a second step that is not set up, that alone. */
export function SecurityTab() {
  const read = useOwnAccount()
  return <Loaded of={read}>{({ user }) => <Cards user={user} />}</Loaded>
}

function Cards({ user }: { user: OwnUser }) {
  const router = useRouter()
  // Until the recovery codes are kept, nothing else takes their place.
  const [isHeldUp, setHeldUp] = useState(user.twoStep.isRequired && !user.twoStep.isOn)
  const goOn = async () => {
    if (!isHeldUp) return
    setHeldUp(false)
    await loadPermissions()
    forgetReads()
    await router.navigate({ to: '/' })
  }
  return (
    <div className={isHeldUp ? 'stack' : 'security-grid'}>
      <TwoStepCard user={user} onSetUp={() => void goOn()} />
      {isHeldUp ? null : (
        <>
          <PasswordCard />
          <OwnSessions />
        </>
      )}
    </div>
  )
}
