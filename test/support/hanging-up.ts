import { once } from 'node:events'
import { createServer } from 'node:net'

/** A mail server that takes a whole message and hangs up without a word. */
export async function aMailServerThatHangsUp() {
  let taken = 0
  const server = createServer((socket) => {
    let text = ''
    let isData = false
    socket.on('error', () => undefined)
    socket.write('220 here\r\n')
    socket.on('data', (chunk) => {
      text += String(chunk)
      if (isData && text.endsWith('\r\n.\r\n')) {
        taken++
        socket.destroy()
      } else if (!isData && text.endsWith('\r\n')) {
        isData = text.startsWith('DATA')
        text = ''
        socket.write(isData ? '354 go on\r\n' : '250 fine\r\n')
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, taken: () => taken, close: () => server.close() }
}
