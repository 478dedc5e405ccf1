import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** What every scanner knows as a virus and is none. */
export const eicar = Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$' + 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*', 'latin1')

/** The chunks of an INSTREAM command as one; null while more is to come. */
function streamOf(data: Buffer): Buffer | null {
  const command = Buffer.from('zINSTREAM\0')
  if (data.length < command.length) return null
  const chunks: Buffer[] = []
  for (let at = command.length; at + 4 <= data.length;) {
    const length = data.readUInt32BE(at)
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(data.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return null
}

/** A clamd on loopback that finds the one virus; `mood` says what it does instead of answering. */
export async function startClamd() {
  let mood: 'well' | 'silent' | 'hangs up' | 'full' = 'well'
  const seen: number[] = []
  const answer = (socket: Socket, stream: Buffer) => {
    seen.push(stream.byteLength)
    if (mood === 'silent') return undefined
    if (mood === 'hangs up') return socket.destroy()
    if (mood === 'full') return socket.end('INSTREAM size limit exceeded. ERROR\0')
    return socket.end(stream.includes(eicar) ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
  }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let data = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (part: Buffer) => {
      data = Buffer.concat([data, part])
      const stream = streamOf(data)
      if (stream) answer(socket, stream)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `clamd://127.0.0.1:${(server.address() as AddressInfo).port}`,
    is: (next: typeof mood) => {
      mood = next
    },
    /** How long the streams were that came since this was read last. */
    seen: () => seen.splice(0),
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
