import { connect, type Socket } from 'node:net'

export type Verdict = 'clean' | 'infected'

/** A check that came to no end; the file is checked again later. */
export class NoVerdict extends Error {}

const chunkBytes = 65_536
/** From the first byte to the answer, in milliseconds. */
const patienceMs = 60_000
const maxAnswer = 4096

const framed = (bytes: Uint8Array): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.byteLength)
  return Buffer.concat([length, bytes])
}

/** One chunk at a time, each once the one before has left. */
async function send(socket: Socket, bytes: Uint8Array) {
  const write = (data: Buffer) =>
    new Promise<void>((resolve, reject) => socket.write(data, (error) => (error ? reject(error) : resolve())))
  await write(Buffer.from('zINSTREAM\0'))
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) await write(framed(bytes.subarray(at, at + chunkBytes)))
  await write(Buffer.alloc(4))
}

const answerOf = (socket: Socket) =>
  new Promise<string>((resolve, reject) => {
    let text = ''
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1')
      const end = text.indexOf('\0')
      if (end >= 0) resolve(text.slice(0, end))
      else if (text.length > maxAnswer) reject(new Error('the answer has no end'))
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('it hung up')))
  })

/**
 * Asks a clamd by its INSTREAM command.
 * Throws `NoVerdict` where it says neither that it found something nor nothing.
 */
export async function askClamd(url: string, bytes: Uint8Array, waitMs = patienceMs): Promise<Verdict> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port || 3310) })
  const limit = setTimeout(() => socket.destroy(new Error('it took too long')), waitMs)
  try {
    const answering = answerOf(socket)
    // It may refuse before it has read everything, and the answer says why.
    const [answer] = await Promise.all([answering, send(socket, bytes).catch(() => undefined)])
    if (answer.endsWith(' FOUND')) return 'infected'
    if (answer === 'stream: OK') return 'clean'
    throw new Error(`it answered ${answer.slice(0, 100)}`)
  } catch (cause) {
    throw new NoVerdict(`No answer of the virus scanner: ${cause instanceof Error ? cause.message : String(cause)}.`, {
      cause,
    })
  } finally {
    clearTimeout(limit)
    socket.destroy()
  }
}
