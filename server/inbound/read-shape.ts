/** Beyond these a mail is kept away: what reads it is given no more. */
export const mailLimits = {
  bytes: 26_214_400,
  headerBytes: 262_144,
  depth: 50,
  milliseconds: 5000,
} as const

export interface MailFile {
  name: string
  bytes: Uint8Array
}

/** What a mail server tells of one recipient. */
export interface ReportedRecipient {
  address: string
  action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'
  /** As `5.1.1`; null where it says none. */
  status: string | null
  /** What the other server said. */
  said: string | null
}

/** A mail as it is told to this process: plain values, bounded, nothing that runs. */
export interface ReadMail {
  from: { name: string; address: string } | null
  to: string[]
  cc: string[]
  subject: string
  /** Message-IDs it answers or reports of, with their angle brackets, each once. */
  answers: string[]
  /** Tokens behind the plus of the addresses it came to. */
  tokens: string[]
  /** Written by a program: nobody waits for an answer. */
  isAutomatic: boolean
  /** Of a delivery report alone. */
  report: ReportedRecipient[] | null
  html: string
  text: string
  files: MailFile[]
  /** Attachments that are not taken along, by name. */
  leftOut: string[]
}
