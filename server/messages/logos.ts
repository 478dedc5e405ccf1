import type { Inline } from '../core/adapters/mail.ts'
import type { FileStore } from '../core/adapters/files.ts'
import { logoAddress, logosOf, type ThemeVersionRow } from '../themes/dressing.service.ts'

/** What a mail calls the pictures that come with it. */
export const logoIds = { light: 'logo', dark: 'logo-dark' } as const

const named = (html: string, scheme: 'light' | 'dark') => html.includes(`"cid:${logoIds[scheme]}"`)
const both = ['light', 'dark'] as const

/** The pictures that a mail shows. */
export async function logosOfMail(files: FileStore, html: string, version: ThemeVersionRow | null): Promise<Inline[]> {
  const found: Inline[] = []
  for (const scheme of both) {
    const logo = logosOf(version)[scheme]
    const bytes = logo && named(html, scheme) ? await files.get(logo.sha256) : null
    if (logo && bytes)
      found.push({
        cid: logoIds[scheme],
        name: logo.mime === 'image/png' ? 'logo.png' : 'logo.jpg',
        mime: logo.mime,
        bytes,
      })
  }
  return found
}

/** A mail as it is looked at here: its pictures stand in it. */
export async function withLogos(files: FileStore, html: string, version: ThemeVersionRow | null): Promise<string> {
  let shown = html
  for (const scheme of both) {
    if (!named(html, scheme)) continue
    const address = await logoAddress(files, logosOf(version)[scheme])
    shown = shown.replaceAll(`"cid:${logoIds[scheme]}"`, `"${address ?? ''}"`)
  }
  return shown
}
