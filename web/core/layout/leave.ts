import type { AnyRouter } from '@tanstack/react-router'
import { places } from '../../../contract/places.ts'
import { logOut } from '../api/session.ts'
import { bypassChecks } from './bypass.ts'
import { notice } from './notice.ts'

/** Logs out and goes to the login. */
export async function leave(router: AnyRouter) {
  const done = bypassChecks()
  try {
    await logOut()
    notice.set(null)
    await router.navigate({ to: places.login, search: {} })
  } finally {
    done()
  }
}
