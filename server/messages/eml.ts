import PostalMime, { type Address } from 'postal-mime'

export interface ParsedMail {
  from: string
  to: string
  subject: string
  html: string
  text: string
  attachments: { name: string; bytes: number }[]
}

const written = (address: Address): string =>
  address.address === undefined
    ? address.group.map(written).join(', ')
    : address.name
      ? `${address.name} <${address.address}>`
      : address.address

/** Reads a mail as it lies in the outbox. */
export async function parseEml(bytes: Uint8Array): Promise<ParsedMail> {
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer' })
  return {
    from: mail.from ? written(mail.from) : '',
    to: (mail.to ?? []).map(written).join(', '),
    subject: mail.subject ?? '',
    html: mail.html ?? '',
    text: mail.text ?? '',
    attachments: mail.attachments.map(({ filename, content }) => ({
      name: filename ?? 'attachment',
      bytes: typeof content === 'string' ? content.length : content.byteLength,
    })),
  }
}
