import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net'

interface Received {
  headers: IncomingMessage['headers']
  body: string
  path: string
}

/** Another program that webhooks are sent to, on loopback. It answers by its rule, 204 when not said. */
export async function aReceiver() {
  const got: Received[] = []
  const rule: { answer: RequestListener } = { answer: (_request, response) => response.writeHead(204).end() }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      got.push({ headers: request.headers, body, path: request.url ?? '' })
      rule.answer(request, response)
    })
  })
  const url = await listening(server)
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { got, rule, url, close }
}

/** One that speaks no HTTP: what it writes once it was asked is up to it. */
export async function aRawReceiver(speak: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => speak(socket))
  })
  const url = await listening(server as unknown as Server)
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, close }
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}
