import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/*
 * Certificates as tests need them: of an authority of their own, for any name and any time. Written as DER (X.690), so
 * that no other program is asked for them.
 */
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  const length = body.byteLength
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), body])
  const bytes = Buffer.from(length.toString(16).padStart(length > 255 ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.byteLength]), bytes, body])
}
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const octets = (bytes: Uint8Array) => der(0x04, bytes)
const bits = (bytes: Uint8Array) => der(0x03, Buffer.from([0]), bytes)
const truth = der(0x01, Buffer.from([0xff]))
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const time = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]|\.\d+Z/g, '')}Z`))

const signedWith = sequence(oid('2a8648ce3d040302'))
const named = (name: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))))
const ofAuthority = sequence(oid('551d13'), truth, octets(sequence(truth)))
const forName = (name: string) => sequence(oid('551d11'), octets(sequence(der(0x82, Buffer.from(name)))))

const pem = (bytes: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`

const dayMs = 86_400_000
interface Wanted {
  from?: Date
  until?: Date
}
export interface Certificate {
  cert: string
  key: string
}

/** An authority nobody knows; `sign` gives certificates of it, `signItself` one of nobody. */
export function anAuthority() {
  const name = `The authority ${randomBytes(8).toString('hex')}`
  const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const own = pair()
  const made = (
    subject: string,
    issuer: string,
    [publicKey, signingKey]: [KeyObject, KeyObject],
    extension: Buffer,
    { from = new Date(Date.now() - dayMs), until = new Date(Date.now() + dayMs) }: Wanted = {},
  ) => {
    const told = sequence(
      der(0xa0, der(0x02, Buffer.from([2]))),
      der(0x02, Buffer.from([1]), randomBytes(8)),
      signedWith,
      named(issuer),
      sequence(time(from), time(until)),
      named(subject),
      publicKey.export({ type: 'spki', format: 'der' }),
      der(0xa3, sequence(extension)),
    )
    return pem(sequence(told, signedWith, bits(createSign('SHA256').update(told).sign(signingKey))))
  }
  const keyOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return {
    cert: made(name, name, [own.publicKey, own.privateKey], ofAuthority),
    sign: (host: string, wanted?: Wanted): Certificate => {
      const { publicKey, privateKey } = pair()
      return {
        cert: made(host, name, [publicKey, own.privateKey], forName(host), wanted),
        key: keyOf(privateKey),
      }
    },
    signItself: (host: string): Certificate => {
      const { publicKey, privateKey } = pair()
      return { cert: made(host, host, [publicKey, privateKey], forName(host)), key: keyOf(privateKey) }
    },
  }
}
