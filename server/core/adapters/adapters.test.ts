import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { SMTPServer } from 'smtp-server'
import { type Mail, makeMail } from './mail.ts'
import { type Asker, ourselves } from './render-queue.ts'
import { makeRenderer } from './renderer.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'brolga-adapters-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const mail = (more: Partial<Mail> = {}): Mail => ({
  guid: 'm-1',
  from: 'Brolga <office@brolga.example>',
  to: ['ada@customer.example'],
  subject: 'Quote Q-1042 – Zäune',
  html: '<p>Hello</p>',
  text: 'Hello',
  messageId: '<m-1@brolga.example>',
  attachments: [{ name: 'Q-1042.pdf', mime: 'application/pdf', bytes: Buffer.from('%PDF-1.7') }],
  ...more,
})

describe('the local outbox', () => {
  const sender = makeMail({ smtpUrl: undefined, dataDir })
  it('keeps one file for one message, however often it is sent', async () => {
    for (let i = 0; i < 3; i++) expect(await sender.send(mail())).toMatchObject({ outcome: 'accepted' })
    expect(readdirSync(join(dataDir, 'outbox'))).toEqual(['m-1.eml'])
    const text = readFileSync(join(dataDir, 'outbox', 'm-1.eml'), 'utf8')
    expect(text).toContain('Message-ID: <m-1@brolga.example>')
    expect(text).toContain('Content-Type: application/pdf; name=Q-1042.pdf')
  })
  it.each([{ subject: 'a\r\nBcc: all@example.com' }, { to: ['a@b.example\nBcc: c@d.example'] }, { guid: '../x' }])(
    'refuses a header within a header: %o',
    async (more) => {
      await expect(sender.send(mail({ guid: 'm-2', ...more }))).rejects.toThrow(/line breaks|names its file/)
    },
  )
})

describe('a mail server', () => {
  const start = async (onData: (text: string) => Error | null) => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, _session, done) => {
        const parts: Buffer[] = []
        stream.on('data', (part: Buffer) => parts.push(part))
        stream.on('end', () => done(onData(Buffer.concat(parts).toString())))
      },
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.server.address()
    return { server, url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
  }
  const refusal = (code: number) => Object.assign(new Error('no'), { responseCode: code })

  it('gets the message, says no for good, or asks for another try', async () => {
    const got: string[] = []
    const answers = [null, refusal(550), refusal(451)]
    const { server, url } = await start((text) => {
      got.push(text)
      return answers[got.length - 1] ?? null
    })
    const sender = makeMail({ smtpUrl: url, dataDir })
    expect(await sender.verify()).toBeNull()
    const outcomes = []
    for (let i = 0; i < 3; i++) outcomes.push((await sender.send(mail())).outcome)
    expect(outcomes).toEqual(['accepted', 'refused', 'deferred'])
    expect(got[0]).toContain('Message-ID: <m-1@brolga.example>')
    sender.close()
    await new Promise<void>((resolve) => server.close(resolve))
    expect((await makeMail({ smtpUrl: url, dataDir }).send(mail())).outcome).toBe('deferred')
  })
  it('never gets a password over a line that is not encrypted', async () => {
    const { server, url } = await start(() => null)
    const sender = makeMail({ smtpUrl: url.replace('smtp://', 'smtp://user:secret@'), dataDir })
    expect((await sender.send(mail())).outcome).toBe('deferred')
    sender.close()
    await new Promise<void>((resolve) => server.close(resolve))
  })
})

describe('the document worker', () => {
  const script = join(dataDir, 'worker.mjs')
  writeFileSync(
    script,
    `process.on('message', ({ id, job }) => {
      if (job.data.how === 'die') process.exit(1)
      if (job.data.how === 'hang') return
      if (job.data.how === 'complain') console.error('the font is odd')
      if (job.data.how === 'fail') return process.send({ id, error: 'no such font' })
      const told = job.data.how + ' ' + process.pid + ' ' + (process.env.HOME ?? 'no home')
      setTimeout(() => process.send({ id, bytes: new TextEncoder().encode(told) }), 50)
    })
    process.on('disconnect', () => process.exit(0))`,
  )
  const said: string[] = []
  const renderer = makeRenderer(script, (line) => said.push(line), {
    killAfterMs: 500,
    maxWaiting: 7,
    maxOfGuests: 4,
    maxOfOneGuest: 2,
  })
  let keys = 0
  const draw = async (how: string, asker: Asker = ourselves, key = String(++keys)) =>
    Buffer.from(await renderer.render({ key, template: 'quote', data: { how } }, asker)).toString()
  afterAll(() => renderer.close())

  it('draws with two processes at most, which know nothing of the settings', async () => {
    const drawn = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((how) => draw(how)))
    expect(drawn.map((d) => d[0])).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(new Set(drawn.map((d) => d.split(' ')[1])).size).toBe(2)
    expect(drawn[0]).toContain('no home')
  })
  it('fails the one document that fails, dies or hangs, and draws the next', async () => {
    await expect(draw('fail')).rejects.toThrow('no such font')
    await expect(draw('die')).rejects.toThrow('ended')
    await expect(draw('hang')).rejects.toThrow('too long')
    expect(await draw('next')).toMatch(/^next/)
  })
  it('is busy before its queue grows without end', async () => {
    const many = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => draw(String(i))))
    expect(many.filter((m) => m.status === 'rejected').length).toBe(12 - 7)
  })
  it('lets one guest have no more than his share, and keeps a worker for the business itself', async () => {
    const guest = (name: string): Asker => ({ guest: name })
    const order: string[] = []
    const asked = [
      ...['g1', 'g2'].map((how) => draw(how, guest('one'))),
      draw('g3', guest('two')),
      draw('ours'),
      draw('mail'),
    ]
    const tooMany = draw('g4', guest('one'))
    for (const one of asked) void one.then((text) => order.push(text.split(' ')[0] ?? ''))
    await expect(tooMany).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await Promise.all(asked)
    expect(order.indexOf('ours')).toBeLessThan(order.indexOf('g2'))
    expect(order.indexOf('mail')).toBeLessThan(order.indexOf('g3'))
  })
  it('draws a document once for all who wait for it, and none that nobody waits for', async () => {
    const same = await Promise.all(Array.from({ length: 12 }, () => draw('same', { guest: 'one' }, 'the same')))
    expect(new Set(same).size).toBe(1)
    const gone = new AbortController()
    const busy = ['a', 'b'].map((how) => draw(how))
    const left = draw('die', { guest: 'one', gone: gone.signal })
    gone.abort()
    await expect(left).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    const [a, b] = await Promise.all(busy)
    // The worker that would have died lives on.
    expect([a, b].map((text) => text?.split(' ')[1])).toContain((await draw('after')).split(' ')[1])
  })
  it('hands on what a worker says, line by line', async () => {
    await draw('complain')
    expect(said).toContain('the font is odd')
  })
})
