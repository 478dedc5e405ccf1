import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { answeredIds, givenBackId, type HeaderLine, isAutomatic, plusTokens } from './headers.ts'
import { type MailFile, mailLimits, type ReadMail, type ReportedRecipient } from './read-shape.ts'
import { readDeliveryStatus } from './report.ts'
import { plainLine, wordsOf } from './shown-html.ts'

const maxAddresses = 50
const maxSubject = 200
/** What is taken along of attachments: as much as a message may have. */
const maxFiles = 20
const maxFileBytes = 10_485_760

const mailboxes = (addresses: readonly Address[] | undefined): { name: string; address: string }[] =>
  (addresses ?? [])
    .flatMap((one) => (one.address === undefined ? one.group : [one]))
    .map(({ name, address }) => ({ name: plainLine(name, 100), address: plainLine(address, 254).toLowerCase() }))
    .filter(({ address }) => /^[^\s@<>]+@[^\s@<>]+$/.test(address))
    .slice(0, maxAddresses)

const addresses = (given: readonly Address[] | undefined) => [
  ...new Set(mailboxes(given).map(({ address }) => address)),
]

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)

/** So much of a part is read where only its headers count. */
const textOf = (part: Attachment): string =>
  Buffer.from(bytesOf(part).subarray(0, mailLimits.headerBytes)).toString('utf8')

const isStatus = ({ mimeType }: Attachment) => /^message\/(?:global-)?delivery-status$/.test(mimeType)
const isGivenBack = ({ mimeType }: Attachment) =>
  /^(?:message\/(?:rfc822|global|global-headers)|text\/rfc822-headers)$/.test(mimeType)

/** Only what says that it is a report is one, and what is said in it once counts. */
function readReport(mail: Email, headers: readonly HeaderLine[]): ReportedRecipient[] | null {
  const type = headers.find(({ key }) => key === 'content-type')?.value.trim() ?? ''
  const [status] = mail.attachments.filter(isStatus)
  return /^multipart\/report\b/i.test(type) && status ? readDeliveryStatus(textOf(status)) : null
}

const headersOf = (part: Attachment) => textOf(part).split(/\r?\n\r?\n/, 1)[0] ?? ''

function filesOf(attachments: readonly Attachment[]): Pick<ReadMail, 'files' | 'leftOut'> {
  const files: MailFile[] = []
  const leftOut: string[] = []
  let room = maxFileBytes
  for (const part of attachments) {
    const bytes = bytesOf(part)
    const name = plainLine(part.filename ?? '', 200) || 'attachment'
    if (bytes.byteLength === 0) continue
    if (bytes.byteLength > room || files.length === maxFiles) {
      leftOut.push(name)
      continue
    }
    room -= bytes.byteLength
    files.push({ name, bytes })
  }
  return { files, leftOut: leftOut.slice(0, maxFiles) }
}

/** Reads a mail within its limits. Runs where it may run wild: nothing but the reading thread asks for it. */
export async function parseMail(raw: Uint8Array): Promise<ReadMail> {
  const mail = await PostalMime.parse(raw, {
    maxNestingDepth: mailLimits.depth,
    maxHeadersSize: mailLimits.headerBytes,
    attachmentEncoding: 'arraybuffer',
  })
  const report = readReport(mail, mail.headers)
  const givenBack = report ? mail.attachments.filter(isGivenBack) : []
  const ids = givenBack.flatMap((part) => givenBackId(headersOf(part)) ?? [])
  const [from = null] = mailboxes(mail.from ? [mail.from] : [])
  return {
    from,
    to: addresses(mail.to),
    cc: addresses(mail.cc),
    subject: plainLine(mail.subject ?? '', maxSubject),
    answers: [...new Set([...ids, ...answeredIds(mail.headers)])],
    tokens: plusTokens(mail.headers),
    isAutomatic: report !== null || isAutomatic(mail.headers),
    report,
    ...wordsOf(mail.html, mail.text),
    ...filesOf(report ? [] : mail.attachments),
  }
}
