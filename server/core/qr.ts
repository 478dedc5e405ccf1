import { correction, generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'

/** Modules that stay light around a code (ISO/IEC 18004): without them phones do not see where it begins. */
const quietZone = 4

/** A QR code of a text, as one SVG path for a square of `size` modules. */
export function qrPath(text: string): { size: number; quietZone: number; path: string } {
  const code = generate(text, { minCorrectionLevel: correction.M })
  return { size: code.size + 2 * quietZone, quietZone, path: toSvgPath(code) }
}
