import { type ComponentType, startTransition, useEffect, useEffectEvent, useState } from 'react'
import { phrase } from '../i18n/i18n.ts'
import { toast } from './toast.tsx'

interface Opens {
  /** Left out by what is only drawn while it is open. */
  isOpen?: boolean
  onClose: () => void
}

/**
 * What opens now and then: its code is fetched when it first does, and it stays, so that it can close gracefully. Where
 * the code cannot be fetched nothing opens, and the page below, with all that is written there, is left as it is; so it
 * is while phrases of what opens are fetched.
 */
export function whenOpen<P extends Opens>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return function WhenOpen(props: P) {
    const [Fetched, setFetched] = useState<ComponentType<P> | null>(null)
    const { isOpen = true } = props
    const giveUp = useEffectEvent(() => {
      toast.error(phrase('errors:unreached'))
      props.onClose()
    })
    useEffect(() => {
      if (!isOpen || Fetched) return
      let isGone = false
      load().then(
        (found) => isGone || startTransition(() => setFetched(() => found)),
        () => isGone || giveUp(),
      )
      return () => {
        isGone = true
      }
    }, [isOpen, Fetched])
    return Fetched ? <Fetched {...props} /> : null
  }
}

/** The same for what replaces a button: null until its code was asked for and is there. */
export function useOnDemand<P>(load: () => Promise<ComponentType<P>>): [ComponentType<P> | null, () => void] {
  const [Fetched, setFetched] = useState<ComponentType<P> | null>(null)
  const ask = () =>
    void load().then(
      (found) => startTransition(() => setFetched(() => found)),
      () => toast.error(phrase('errors:unreached')),
    )
  return [Fetched, ask]
}
