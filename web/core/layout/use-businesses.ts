import { businessesApi } from '../../../contract/businesses.ts'
import { isEverywhere, makeIn, workEverywhere, workIn } from '../api/business.ts'
import { useCan } from '../api/can.ts'
import { useRead, useRun } from '../api/hooks.ts'
import type { Answer } from '../api/types.ts'
import { useErrorText } from '../i18n/errors.ts'
import { noteLast } from './last-business.ts'
import { toast } from '../ui/toast.tsx'

type Own = Answer<typeof businessesApi.current>

export interface Businesses {
  /** The window's: where lists show all of them, the one that what is made is made for. */
  business: Own['business']
  businesses: Own['businesses']
  isEverywhere: boolean
  /** Works in one from now on; what was read is the former's, so the page begins anew. */
  choose: (guid: string, to?: string) => Promise<void>
  chooseAll: () => void
  /** What is made is made for this one from now on; lists go on showing all of them. */
  make: (guid: string) => Promise<void>
}

/** The businesses one works in; null while that is not known, or where there is one alone and nothing to choose. */
export function useBusinesses(): Businesses | null {
  const text = useErrorText()
  const run = useRun()
  const may = useCan(businessesApi.current)
  const { data } = useRead(businessesApi.current, {}, { enabled: may })
  if (!data || data.businesses.length < 2) return null
  const remembered = async (guid: string, then: () => void) => {
    try {
      await run(businessesApi.choose, { guid })
      noteLast(guid)
      then()
    } catch (error) {
      toast.error(text(error))
    }
  }
  const begin = (to?: string) => (to ? location.assign(to) : location.reload())
  return {
    ...data,
    isEverywhere: isEverywhere(),
    choose: (guid, to) =>
      remembered(guid, () => {
        workIn(guid)
        begin(to)
      }),
    chooseAll: () => {
      workEverywhere()
      begin()
    },
    make: (guid) =>
      remembered(guid, () => {
        makeIn(guid)
        begin()
      }),
  }
}
