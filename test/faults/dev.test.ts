import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, productFolder } from '../support/process.ts'

// `npm run dev` on a copy of the sources, which are changed as a person would change them.

const sources = ['contract', 'scripts', 'server', 'web', 'package.json', 'tsconfig.base.json', 'vite.config.ts']
const tokenOfPage = /wsToken = "([^"]+)"/

let folder: string
let dataDir: string
let dev: ChildProcess
let address: string
let said = ''

beforeAll(async () => {
  folder = productFolder()
  dataDir = productFolder()
  for (const name of sources) cpSync(name, join(folder, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  // As if the sample company had been made: this is about the files.
  writeFileSync(join(dataDir, 'demo.json'), '{ "state": "made", "password": "" }')
  const port = await freePort()
  address = `http://127.0.0.1:${port}`
  dev = spawn(process.execPath, ['scripts/dev.ts'], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, PAYMENT_PROVIDER: 'none' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [dev.stdout, dev.stderr]) stream?.on('data', (bytes: Buffer) => (said += bytes.toString()))
  await until(async () => (await textOf('/health/live')) !== null)
})
afterAll(async () => {
  if (dev.exitCode === null) {
    dev.kill('SIGTERM')
    await once(dev, 'exit')
  }
  for (const made of [folder, dataDir]) rmSync(made, { recursive: true, force: true })
})

const textOf = (path: string) =>
  fetch(address + path).then(
    async (response) => (response.ok ? await response.text() : null),
    () => null,
  )
async function until(isSo: () => Promise<boolean>, seconds = 60) {
  for (const deadline = performance.now() + seconds * 1000; performance.now() < deadline; await sleep(50)) {
    if (await isSo()) return
    if (dev.exitCode !== null) break
  }
  throw new Error(`npm run dev does not do it:\n${said}`)
}
const change = (file: string, from: string, to: string) => {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
}

test('what is changed in the server is served, and calls wait for it', async () => {
  expect(await textOf('/health/live')).toContain('live')
  change('server/core/http/health.ts', "'live'", "'wide awake'")
  await until(async () => (await textOf('/health/live'))?.includes('wide awake') === true)
})

test('what is changed in a page reaches the page that is open', async () => {
  const file = 'auth/login.page.tsx'
  expect(await textOf(`/${file}`)).not.toContain('changed-here')
  const token = tokenOfPage.exec((await textOf('/@vite/client')) ?? '')?.[1]
  const socket = new WebSocket(`${address.replace('http', 'ws')}/?token=${token}`, 'vite-hmr')
  const heard: string[] = []
  socket.addEventListener('message', ({ data }) => heard.push(String(data)))
  await once(socket, 'open')
  change(`web/${file}`, 'export function Page() {', 'export function Page() {\n  console.debug("changed-here")')
  await until(async () => heard.some((message) => message.includes('"update"') && message.includes(file)))
  socket.close()
  expect(await textOf(`/${file}`)).toContain('changed-here')
})
