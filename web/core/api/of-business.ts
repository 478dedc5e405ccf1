import { createContext, useContext } from 'react'
import { businessHere } from './business.ts'

/** The business of the record that is on the page, or that what is made is made for. */
export const OfBusiness = createContext<string | null>(null)

/** The business that calls from here are for, where it is another than the window's. */
export function useOwner(): string | null {
  const guid = useContext(OfBusiness)
  return guid === businessHere() ? null : guid
}
