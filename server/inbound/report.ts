import type { ReportedRecipient } from './read-shape.ts'

/** A report of more recipients than a message may have is about something else. */
const maxReported = 100
const maxSaid = 300

const actions = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const
const isAction = (action: string): action is ReportedRecipient['action'] => actions.some((known) => known === action)

/** The fields of one block, by name; a field that comes twice counts as it came first. */
function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of block.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const { name, value } = /^(?<name>[\w-]{1,60}):(?<value>.*)$/.exec(line)?.groups ?? {}
    if (name && value !== undefined && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim())
  }
  return fields
}

/** `rfc822; <jo@emu.example>` is an address of one kind or another. */
const addressIn = (field: string): string | null => {
  const [, address = ''] = /^(?:rfc822|utf-8)\s*;\s*<?([^\s<>;]{3,254})>?\s*$/i.exec(field) ?? []
  return address.includes('@') ? address.toLowerCase() : null
}

/**
 * What a delivery status says (RFC 3464): a block for the mail as a whole, then one for each recipient. Blocks without
 * a recipient that can be read, or without a known action, tell nothing.
 */
export function readDeliveryStatus(text: string): ReportedRecipient[] {
  const blocks = text
    .replace(/\r\n?/g, '\n')
    .split(/\n(?:[ \t]*\n)+/)
    .slice(0, maxReported + 1)
  return blocks.flatMap((block) => {
    const fields = fieldsOf(block)
    const address = addressIn(fields.get('final-recipient') ?? '')
    const action = /^[a-z]+/.exec(fields.get('action')?.toLowerCase() ?? '')?.[0] ?? ''
    if (!address || !isAction(action)) return []
    const said = (fields.get('diagnostic-code') ?? '').replace(/^[\w-]+\s*;\s*/, '').slice(0, maxSaid)
    const status = /^[245]\.\d{1,3}\.\d{1,3}(?=\s|\(|$)/.exec(fields.get('status') ?? '')?.[0] ?? null
    return [{ address, action, status, said: said || null }]
  })
}

/** The address is gone, or never was: nothing is sent there any more. */
const gone = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']

/** Whether what a server says of an address is its last word on it. */
export const suppresses = ({ action, status }: Pick<ReportedRecipient, 'action' | 'status'>): boolean =>
  action === 'failed' && status !== null && gone.includes(status)

/** Whether it was not delivered and never will be: also where a server gave up what had failed for now (4.4.7). */
export const bounces = ({ action, status }: Pick<ReportedRecipient, 'action' | 'status'>): boolean =>
  action === 'failed' && !status?.startsWith('2.')
