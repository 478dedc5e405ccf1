import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { sandboxKeys } from '../core/adapters/payments-sandbox.ts'
import { startSandbox } from './sandbox.ts'

const webhookSecret = 'a secret of the tests, long enough for all'
const { secretKey } = sandboxKeys(webhookSecret)

async function startProcess(dataDir: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, WEBHOOK_SECRET: webhookSecret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`exit ${code}`)))
    child.stdout.once('data', (line) => resolve(JSON.parse(String(line)).url))
  })
  return { child, url }
}

test('a provider that is killed while it works has every payment it has answered for, and none twice', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const { child, url } = await startProcess(dataDir)
  const token = await (
    await fetch(`${url}/v1/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' }),
    })
  )
    .json()
    .then((b) => (b as { token: string }).token)
  const answered = new Set<string>()
  let isKilled = false
  const work = async (worker: number) => {
    for (let n = 0; !isKilled; n++) {
      const key = `${worker}-${n}`
      const response = await fetch(`${url}/v1/charges`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ amountCents: 100 + n, currency: 'AUD', token }),
      }).catch(() => null)
      if (response?.status === 201) answered.add(key)
    }
  }
  const workers = Array.from({ length: 8 }, (_, i) => work(i))
  await vi.waitUntil(() => answered.size > 50, { interval: 5, timeout: 60_000 })
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  isKilled = true
  await Promise.all(workers)
  expect(answered.size).toBeGreaterThan(0)

  appendFileSync(join(dataDir, 'payments.jsonl'), '{"kind":"charge","cha')
  const again = await startSandbox({ dataDir, webhookSecret })
  const keys: string[] = []
  for (let after: string | null = ''; after !== null;) {
    const page: { items: { idempotencyKey: string }[]; next: string | null } = (await (
      await fetch(`${again.url}/v1/charges?limit=100${after && `&after=${after}`}`, {
        headers: { authorization: `Bearer ${secretKey}` },
      })
    ).json()) as never
    keys.push(...page.items.map((c) => c.idempotencyKey))
    after = page.next
  }
  await again.close()
  expect([...answered].filter((key) => !keys.includes(key))).toEqual([])
  expect(new Set(keys).size).toBe(keys.length)
  expect(readFileSync(join(dataDir, 'payments.jsonl'), 'utf8').endsWith('\n')).toBe(true)
  rmSync(dataDir, { recursive: true })
}, 20_000)
