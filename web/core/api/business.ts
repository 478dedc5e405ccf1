import type { Op } from '../../../contract/core/op.ts'
import { dropHere, readHere, writeHere } from '../storage.ts'

/** The business of this window: another window may work in another one. */
export const businessHere = (): string | null => readHere<string>('business')?.value ?? null
export function workIn(guid: string) {
  writeHere('business', guid)
  dropHere('everywhere')
}
/** Lists show all businesses together from now on; what is made is made for the window's one. */
export const workEverywhere = () => writeHere('everywhere', true)
export const isEverywhere = (): boolean => readHere<boolean>('everywhere')?.value === true
/** The one that what is made is made for, where lists show all of them. */
export const makeIn = (guid: string) => writeHere('business', guid)
/** From now on the server says which it is: the one that was used last. */
export function workAnywhere() {
  dropHere('business')
  dropHere('everywhere')
}

/** What an operation is asked for beside its input, where the window shows all businesses and it can tell of them. */
export const spanOf = (op: Op): { business?: 'all' } =>
  isEverywhere() && 'shape' in op.query && 'business' in (op.query.shape as object) ? { business: 'all' } : {}

/**
 * What asks for the business of a record, which may be opened by its address from a window of another one. Of the
 * window's own it asks as everybody does, so that the answer is mostly there.
 */
export const ofRecord = ({ businessGuid }: { businessGuid: string }): { businessGuid?: string } =>
  businessGuid === businessHere() ? {} : { businessGuid }

export const businessHeader = 'X-Business-Guid'

/** A window works where its first answer came from, whatever another one chooses meanwhile. */
export function keepBusiness(headers: Headers) {
  const guid = headers.get(businessHeader)
  if (guid && !businessHere()) makeIn(guid)
}
