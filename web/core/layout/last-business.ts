import { businessesApi } from '../../../contract/businesses.ts'
import { authState } from '../api/auth-state.ts'
import { businessHere } from '../api/business.ts'
import { request } from '../api/client.ts'
import { readStored, writeStored } from '../storage.ts'

const key = 'lastBusiness'

/** Of all windows: the one that was chosen, or worked in, last. Nothing where nobody chose yet. */
export const noteLast = (guid: string) => writeStored(key, guid)

/**
 * The next login begins in the business of the window one worked in last, not of the one where it was chosen last:
 * coming back to a window of another one chooses its business again.
 */
export function watchLastBusiness() {
  window.addEventListener('focus', () => {
    const here = businessHere()
    const last = readStored<string>(key)?.value
    if (!here || !last || here === last || !authState.get().token?.userData) return
    noteLast(here)
    request(businessesApi.choose, { guid: here }).catch(() => noteLast(last))
  })
}
