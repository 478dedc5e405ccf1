import PostalMime, { type Address, type Attachment } from 'postal-mime'

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

const base64Of = (content: Attachment['content']) =>
  (typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content))).toString('base64')

/** Reads a mail as it lies in the outbox; the pictures it shows stand in it. */
export async function parseEml(bytes: Uint8Array): Promise<ParsedMail> {
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer' })
  const isShown = ({ contentId, mimeType }: Attachment) => contentId !== undefined && mimeType.startsWith('image/')
  const pictures = mail.attachments.filter(isShown)
  const others = mail.attachments.filter((part) => !isShown(part))
  return {
    from: mail.from ? written(mail.from) : '',
    to: (mail.to ?? []).map(written).join(', '),
    subject: mail.subject ?? '',
    html: pictures.reduce(
      (html, { contentId = '', mimeType, content }) =>
        html.replaceAll(`"cid:${contentId.replace(/^<|>$/g, '')}"`, `"data:${mimeType};base64,${base64Of(content)}"`),
      mail.html ?? '',
    ),
    text: mail.text ?? '',
    attachments: others.map(({ filename, content }) => ({
      name: filename ?? 'attachment',
      bytes: typeof content === 'string' ? content.length : content.byteLength,
    })),
  }
}
