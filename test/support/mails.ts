/** Mails as mail servers hand them over, made here: ordinary ones, reports, and hostile ones. */
export interface MailFacts {
  from?: string
  to?: string
  subject?: string
  messageId?: string
  inReplyTo?: string
  references?: string
  headers?: readonly string[]
  text?: string
  html?: string
  files?: readonly { name: string; type: string; bytes: Uint8Array }[]
}

const crlf = (lines: readonly string[]) => lines.join('\r\n')
const part = (type: string, body: string, headers: readonly string[] = []) =>
  crlf([`Content-Type: ${type}`, ...headers, '', body])

export const multipart = (kind: string, parts: readonly string[], boundary = `b-${kind}`) => ({
  type: `multipart/${kind}; boundary="${boundary}"`,
  body: crlf([...parts.flatMap((one) => [`--${boundary}`, one]), `--${boundary}--`, '']),
})

const base64Lines = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('base64')
    .match(/.{1,76}/g)
    ?.join('\r\n') ?? ''

/** A mail from its headers and its body. */
export const eml = (headers: readonly string[], body: string): Buffer => Buffer.from(crlf([...headers, '', body]))

let made = 0
export const headersOf = ({ from, to, subject, messageId, inReplyTo, references, headers = [] }: MailFacts) => [
  `From: ${from ?? 'Anna Hartmann <anna@hartmann.example>'}`,
  `To: ${to ?? 'office@brolga.example'}`,
  `Subject: ${subject ?? 'About the fence'}`,
  `Message-ID: ${messageId ?? `<m${++made}@hartmann.example>`}`,
  'Date: Thu, 02 Apr 2026 09:00:00 +1100',
  'MIME-Version: 1.0',
  ...(inReplyTo ? [`In-Reply-To: ${inReplyTo}`] : []),
  ...(references ? [`References: ${references}`] : []),
  ...headers,
]

/** What a person writes: text, text with HTML, and files where there are some. */
export function aMail(facts: MailFacts = {}): Buffer {
  const { text = 'Can you start on Monday?', html, files = [] } = facts
  const words =
    html === undefined
      ? { type: 'text/plain; charset=utf-8', body: text }
      : multipart('alternative', [part('text/plain; charset=utf-8', text), part('text/html; charset=utf-8', html)])
  const attached = files.map(({ name, type, bytes }) =>
    part(`${type}; name="${name}"`, base64Lines(bytes), [
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Transfer-Encoding: base64',
    ]),
  )
  const whole = attached.length === 0 ? words : multipart('mixed', [part(words.type, words.body), ...attached])
  return eml([...headersOf(facts), `Content-Type: ${whole.type}`], whole.body)
}

export interface ReportFacts extends MailFacts {
  /** Message-ID of the mail that is reported of. */
  about?: string | null
  recipients?: readonly { address: string; action?: string; status?: string; said?: string }[]
  /** As its type says. */
  kind?: string
}

/** What a mail server tells of a mail it was given (RFC 3464). */
export function aReport({ about = null, recipients = [], kind = 'delivery-status', ...facts }: ReportFacts): Buffer {
  const status = crlf([
    'Reporting-MTA: dns; mx.elsewhere.example',
    'Arrival-Date: Thu, 02 Apr 2026 09:00:00 +1100',
    ...recipients.flatMap(({ address, action = 'failed', status: code = '5.1.1', said = 'smtp; 550 no such user' }) => [
      '',
      `Final-Recipient: rfc822; ${address}`,
      `Action: ${action}`,
      `Status: ${code}`,
      `Diagnostic-Code: ${said}`,
    ]),
    '',
  ])
  const { type, body } = multipart('report', [
    part('text/plain; charset=utf-8', 'Your message could not be delivered.'),
    part('message/delivery-status', status),
    ...(about === null ? [] : [part('message/rfc822', crlf(['Subject: Quote', `Message-ID: ${about}`, '', 'Hello']))]),
  ])
  return eml(
    [
      ...headersOf({ from: 'Mail Delivery <mailer-daemon@elsewhere.example>', subject: 'Undelivered', ...facts }),
      `Content-Type: ${type}; report-type=${kind}`,
    ],
    body,
  )
}

/** Parts within parts, as many levels deep. */
export function nested(levels: number, facts: MailFacts = {}): Buffer {
  const open = Array.from({ length: levels }, (_, i) => [
    ...(i === 0 ? [] : [`--b${i - 1}`]),
    ...(i === 0 ? headersOf(facts) : []),
    `Content-Type: multipart/mixed; boundary="b${i}"`,
    '',
  ])
  return Buffer.from(crlf([...open.flat(), `--b${levels - 1}`, 'Content-Type: text/plain', '', 'deep', '']))
}
