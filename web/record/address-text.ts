import type { Address } from '../../contract/core/address.ts'

/** `12 Harbour Street, Newtown NSW 2042`. */
export const addressText = (address: Address): string =>
  [address.line1, address.line2, `${address.suburb} ${address.state} ${address.postcode}`].filter(Boolean).join(', ')
