import { dropHere, readHere, writeHere } from '../storage.ts'

/** The business of this window: another window may work in another one. */
export const businessHere = (): string | null => readHere<string>('business')?.value ?? null
export const workIn = (guid: string) => writeHere('business', guid)
/** From now on the server says which it is: the one that was used last. */
export const workAnywhere = () => dropHere('business')

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
  if (guid && !businessHere()) workIn(guid)
}
