/** One moment in the evidence: what is said of it, to the letter, and the hash of all that was said until then. */
interface EvidenceEvent {
  /** JSON: `position`, `reason`, `revision`, `at`, `by`, `ip`, `frame` and `document` (hashes), and what was done. */
  event: string
  sha256: string
}

/** The file that proves what each side of a quote had before the eyes. */
export interface Evidence {
  format: 1
  number: string
  revision: number
  /** How it is proven, for whoever finds the file without us. */
  howToVerify: string
  events: EvidenceEvent[]
  /** Pages as canonical JSON text, by the SHA-256 of that text. */
  frames: Record<string, string>
  /** Documents as they were sent, likewise. */
  documents: Record<string, string>
}

export const howToVerify =
  'Each sha256 in events is the SHA-256, as 64 hexadecimal digits, of the sha256 before it (nothing for the first), ' +
  'a line feed and the text of its event, in UTF-8. The texts in frames and documents have the SHA-256 they are ' +
  'listed under, and events name them. The last sha256 stands on the accepted document and in the email about it.'

/** The same of the changes of an order. */
export const howToVerifyChanges =
  'Each sha256 in events is the SHA-256, as 64 hexadecimal digits, of the sha256 before it (nothing for the first), ' +
  'a line feed and the text of its event, in UTF-8. The texts in frames have the SHA-256 they are listed under, and ' +
  'events name them. The first event names the last sha256 of the quote, where there was one. The sha256 of an ' +
  'acceptance stands on the page of the order.'

/** What is wrong with a file of evidence; nothing where it proves itself. */
export type EvidenceProblem = 'notEvidence' | 'event' | 'frame' | 'missing'

const isEvidence = (file: unknown): file is Evidence =>
  typeof file === 'object' && file !== null && 'events' in file && Array.isArray(file.events) && 'frames' in file

/**
 * Proves a file by its own hashes. `sha256` hashes a text in UTF-8 to hexadecimal digits. Answers the hash of the last
 * event, which is compared with that on paper.
 */
export async function verifyEvidence(
  file: unknown,
  sha256: (text: string) => Promise<string>,
): Promise<{ problem: EvidenceProblem | null; position: number | null; lastSha256: string | null }> {
  if (!isEvidence(file) || file.events.length === 0) return { problem: 'notEvidence', position: null, lastSha256: null }
  const texts = { ...file.frames, ...file.documents }
  for (const [hash, text] of Object.entries(texts))
    if ((await sha256(String(text))) !== hash) return { problem: 'frame', position: null, lastSha256: null }
  let last = ''
  for (const [i, { event, sha256: said }] of file.events.entries()) {
    if ((await sha256(`${last}\n${event}`)) !== said) return { problem: 'event', position: i + 1, lastSha256: null }
    const { frame, document, position } = JSON.parse(event) as { frame?: string; document?: string; position?: number }
    if (position !== i + 1) return { problem: 'event', position: i + 1, lastSha256: null }
    const isThere = (!frame || frame in file.frames) && (!document || document in (file.documents ?? {}))
    if (!isThere) return { problem: 'missing', position: i + 1, lastSha256: null }
    last = said
  }
  return { problem: null, position: null, lastSha256: last }
}
