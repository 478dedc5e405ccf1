import type { Look } from '../../contract/dress.ts'
import { cleanFilled } from '../core/html/body.ts'

/** The foot of a theme in each language, without what the body of an email may not have. */
export const cleanFooter = ({ en, fr, ar }: Look['footerHtml']): Look['footerHtml'] => ({
  en: cleanFilled(en),
  ...(fr ? { fr: cleanFilled(fr) } : {}),
  ...(ar ? { ar: cleanFilled(ar) } : {}),
})
