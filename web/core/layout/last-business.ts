import { authState } from '../api/auth-state.ts'
import { businessHere } from '../api/business.ts'
import { readStored, writeStored } from '../storage.ts'

const key = 'lastBusiness'

/** Of all windows: the one that was chosen, or worked in, last. Nothing where nobody chose yet. */
export const noteLast = (guid: string) => writeStored(key, guid)

/** Tells the server; fetched when it is needed, so that the first download is without it. */
async function choose(guid: string) {
  const [{ businessesApi }, { request }] = await Promise.all([
    import('../../../contract/businesses.ts'),
    import('../api/client.ts'),
  ])
  await request(businessesApi.choose, { guid })
}

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
    choose(here).catch(() => noteLast(last))
  })
}
