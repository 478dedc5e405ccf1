import { lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import type { Settings } from './env.ts'

/*
 * Addresses that people type in (mail servers, webhooks) must not lead into the network the server stands in. A name is
 * resolved once, every address it has is checked, and the connection goes to the checked address under the name: what
 * the name says a moment later makes no difference.
 */

/** The one thing that is said of what is closed, whatever the reason: nobody explores a network by what is refused. */
export const outboundRefusal = 'This address cannot be used.'
export class OutboundError extends Error {
  constructor(sentence = outboundRefusal) {
    super(sentence)
  }
}

const ports: readonly number[] = [25, 465, 587, 2525, 143, 993, 443]

/** Not of the public network: private, of this machine or link, shared, documentation, tests, multicast, reserved. */
const closed4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const
/** Addresses that carry another one inside, and those of documentation. */
const closed6 = [
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const

const closed = new BlockList()
for (const [net, bits] of closed4) closed.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of closed6) closed.addSubnet(net, bits, 'ipv6')
const public6 = new BlockList()
public6.addSubnet('2000::', 3, 'ipv6')

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** The ranges that the installation opens, on any port. */
function openedBy(ranges: readonly string[]): BlockList {
  const opened = new BlockList()
  for (const range of ranges) {
    const [net = '', bits] = range.split('/')
    if (bits === undefined) opened.addAddress(net, familyOf(net))
    else opened.addSubnet(net, Number(bits), familyOf(net))
  }
  return opened
}

const isPublic = (address: string): boolean =>
  isIP(address) === 4
    ? !closed.check(address, 'ipv4')
    : isIP(address) === 6 && public6.check(address, 'ipv6') && !closed.check(address, 'ipv6')

type Allowed = Pick<Settings, 'outboundAllow'>
interface Destination {
  host: string
  port: number
}
/** Where to connect: the address, under the name of the host. */
export interface Checked extends Destination {
  address: string
  family: 4 | 6
}

export type Lookup = (host: string) => Promise<{ address: string }[]>
export const resolving: Lookup = (host) => systemLookup(host, { all: true, order: 'ipv4first' })

/**
 * The address to connect to; throws `OutboundError` where any address of the host, or the port, is closed. What is not
 * encrypted only goes where the installation opened the range.
 */
export async function checkOutbound(
  { outboundAllow }: Allowed,
  { host, port }: Destination,
  isPlain = false,
  lookup: Lookup = resolving,
): Promise<Checked> {
  const found = await lookup(host).catch((error: unknown) => {
    // A name of the public network that nobody has is misspelt; what is there within a network is nobody's to learn.
    if ((error as { code?: string }).code === 'ENOTFOUND' && !isHomeName(host))
      throw new OutboundError(`No server is called ${host}.`)
    return []
  })
  const opened = openedBy(outboundAllow)
  const isOpen = (address: string) => isIP(address) !== 0 && opened.check(address, familyOf(address))
  const isOpened = found.length > 0 && found.every(({ address }) => isOpen(address))
  const isFree = ports.includes(port) && found.every(({ address }) => isPublic(address) || isOpen(address))
  const [first] = found
  if (!first || !(isOpened || (isFree && !isPlain))) throw new OutboundError()
  return { host, port, address: first.address, family: isIP(first.address) === 6 ? 6 : 4 }
}

/** Names that mean something within a network alone (RFC 6761, RFC 6762, RFC 8375). */
const isHomeName = (host: string): boolean =>
  !host.replace(/\.$/, '').includes('.') || /\.(?:localhost|local|internal|home\.arpa)\.?$/i.test(host)

/** What can be said of a destination without asking anybody: whether it can never be used. */
export function isNeverOutbound({ outboundAllow }: Allowed, { host, port }: Destination): boolean {
  const isOpened = isIP(host) !== 0 && openedBy(outboundAllow).check(host, familyOf(host))
  if (isOpened) return false
  if (isIP(host) !== 0) return !isPublic(host) || !ports.includes(port)
  return outboundAllow.length === 0 && (!ports.includes(port) || isHomeName(host))
}
