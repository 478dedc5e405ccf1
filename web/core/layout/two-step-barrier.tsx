import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { settingsPath } from '../../../contract/places.ts'
import { asApiError } from '../api/error.ts'
import { queryClient } from '../api/hooks.ts'

const place = settingsPath('security')

/**
 * A role that asks for two-step login lets nothing through until it is set up: whatever page is
 * opened, the way leads there.
 */
export function TwoStepBarrier() {
  const router = useRouter()
  const onHeldUp = useEffectEvent(() => {
    if (router.state.location.pathname !== place) void router.navigate({ to: place, replace: true })
  })
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (
          event.type === 'updated' &&
          event.action.type === 'error' &&
          asApiError(event.action.error).error === 'TWO_STEP_SETUP'
        )
          onHeldUp()
      }),
    [],
  )
  return null
}
