import { trimQuantity } from '../../contract/lines.ts'

/** A quantity in whole ten-thousandths. */
export function toUnits(quantity: string): bigint {
  const [whole = '0', fraction = ''] = quantity.split('.')
  return BigInt(whole + fraction.padEnd(4, '0').slice(0, 4))
}

/** Back as decimal text, without zeros at the end. */
export function unitsText(units: bigint): string {
  const digits = units.toString().padStart(5, '0')
  return trimQuantity(`${digits.slice(0, -4)}.${digits.slice(-4)}`)
}
