import { useEffect, useEffectEvent } from 'react'

/** Something else of the record was changed: as long as nothing is typed, the form starts from there. */
export function useFollow<R extends { version: number }>(
  newest: R,
  base: R,
  isDirty: boolean,
  restart: (record: R) => void,
) {
  const follow = useEffectEvent(() => {
    if (newest.version > base.version && !isDirty) restart(newest)
  })
  useEffect(() => follow(), [newest.version])
}
