import { describe, expect, it } from 'vitest'
import { aMail, aReport, eml, headersOf, multipart, nested } from '../../test/support/mails.ts'
import { parseMail } from './parse-mail.ts'
import { readMail } from './read-mail.ts'
import { mailLimits } from './read-shape.ts'
import { bounces, suppresses } from './report.ts'

const token = 'abcdefghijklmnopqrstuvwx27'
const ours = `<${token}@brolga.example>`

describe('a mail', () => {
  it('is read with its people, its words and its files', async () => {
    const mail = await parseMail(
      aMail({
        from: '"Anna, of Hartmann" <Anna@Hartmann.example>',
        to: 'Office <office@brolga.example>, OFFICE@brolga.example',
        subject: '=?utf-8?Q?Re=3A_Gel=C3=A4nder?=',
        html: '<p>Can you start on <b>Monday</b>?</p>',
        files: [{ name: 'plan.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.4') }],
      }),
    )
    expect(mail).toMatchObject({
      from: { name: 'Anna, of Hartmann', address: 'anna@hartmann.example' },
      to: ['office@brolga.example'],
      subject: 'Re: Geländer',
      html: '<p>Can you start on <b>Monday</b>?</p>',
      text: 'Can you start on Monday?',
      isAutomatic: false,
      report: null,
      leftOut: [],
    })
    expect(mail.files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['plan.pdf', '%PDF-1.4'],
    ])
  })

  it('has both forms of its words, whichever it came with', async () => {
    expect(await parseMail(aMail({ text: 'One\n\n<Two>\nThree' }))).toMatchObject({
      html: '<p>One</p><p>&lt;Two&gt;<br>Three</p>',
      text: 'One\n\n<Two>\nThree',
    })
    const alone = eml([...headersOf({}), 'Content-Type: text/html'], '<p>One &amp; two</p><ul><li>a<li>b</ul>')
    const { text } = await parseMail(alone)
    expect(text.split(/\n+/)).toEqual(['One & two', 'a', 'b'])
    expect(await parseMail(eml(headersOf({}), ''))).toMatchObject({ text: '', files: [] })
    expect(await parseMail(Buffer.alloc(0))).toMatchObject({ from: null, subject: '' })
  })

  it('says which of ours it answers: the nearest first, and the token behind a plus', async () => {
    const mail = await parseMail(
      aMail({
        to: `office+${token.toUpperCase()}@brolga.example`,
        inReplyTo: ours,
        references: `<first@x.example> <second@x.example> ${ours}`,
        headers: [
          'Delivered-To: office+aaaaaaaaaaaaaaaaaaaaaaaa22@brolga.example',
          'X-Other: a+bbbbbbbbbbbbbbbbbbbbbbbb22@x',
        ],
      }),
    )
    expect(mail.answers).toEqual([ours, '<second@x.example>', '<first@x.example>'])
    expect(mail.tokens).toEqual([token, 'aaaaaaaaaaaaaaaaaaaaaaaa22'])
  })

  it.each([
    ['Auto-Submitted: auto-replied', true],
    ['Auto-Submitted: no', false],
    ['Precedence: bulk', true],
    ['Precedence: first-class', false],
    ['List-Id: <fences.lists.example>', true],
    ['X-Autoreply: yes', true],
    ['Return-Path: <>', true],
    ['Return-Path: <anna@hartmann.example>', false],
    ['Importance: high', false],
  ])('with %s is automatic: %s', async (header, isAutomatic) => {
    expect(await parseMail(aMail({ headers: [header] }))).toMatchObject({ isAutomatic })
  })
})

describe('a hostile mail', () => {
  it('shows nothing that runs, asks, or is fetched', async () => {
    const { html } = await parseMail(
      aMail({
        html: `<style>p{background:url(https://x.example)}</style>
          <p style="background:url(https://x.example)" onclick="a()">Hi
          <script>alert(1)</script><img src="https://x.example/p.gif"><img alt="Plan" src="cid:1" onerror="a()">
          <a href="javascript:a()">one</a><a href="https://x.example" target="_top">two</a>
          <a href="//x.example">three</a>
          <form action="https://x.example"><input name="password"></form><svg><script>a()</script></svg>
          <base href="https://x.example"><meta http-equiv="refresh" content="0;url=https://x.example">
          <iframe src="https://x.example"></iframe><object data="x"></object><link rel="stylesheet" href="x"></p>`,
      }),
    )
    expect(html).not.toMatch(
      /<(?:script|style|form|input|svg|base|meta|iframe|object|link)|on\w+=|style=|src=|javascript|"\/\//i,
    )
    expect(html).toContain('<img alt="Plan" />')
    expect(html).toContain('<a href="https://x.example" rel="noopener noreferrer nofollow">two</a>')
  })

  it.each([
    '<a href="jav&#x09;ascript:alert(1)">x</a>',
    '<a href=" &#14; javascript:alert(1)">x</a>',
    '<math><mtext></p><style><a title="</style><img src=x onerror=alert(1)>"></style></mtext></math>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p><scr<script>ipt>alert(1)</script>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<table background="https://x.example/p.gif"><tr><td style="x">a</td></tr></table>',
  ])('does not get through with %s', async (html) => {
    const mail = await parseMail(aMail({ html }))
    expect(mail.html).not.toMatch(/<(?:script|style|math|noscript)|\son\w+\s*=|src=|href=|background=|style=/i)
  })

  it('keeps no characters that turn or hide what is read', async () => {
    const mail = await parseMail(
      aMail({
        from: '"\u202Egro.elpmaxe\u0000" <x@x.example>',
        subject: `In\u0000voice\u202E ${'x'.repeat(500)}`,
        text: 'a\u0000b\u202Ec',
        files: [{ name: '../..\\\u202Efdp.exe', type: 'application/pdf', bytes: Buffer.from('x') }],
      }),
    )
    expect(JSON.stringify(mail)).not.toMatch(/\\u0000|\u202E/)
    expect(mail.subject).toHaveLength(200)
    expect(mail.text).toBe('abc')
  })

  it('is believed as its first sender alone, and only where that is an address', async () => {
    expect((await parseMail(aMail({ headers: ['From: Other <other@x.example>'] }))).from?.address).toBe(
      'anna@hartmann.example',
    )
    for (const from of ['nobody', '<>', 'a@b@c', '"a@b.example" <not an address>', 'undisclosed-recipients:;'])
      expect((await parseMail(aMail({ from }))).from?.address ?? null).toBeNull()
    const crowd = Array.from({ length: 5000 }, (_, i) => `p${i}@x.example`).join(', ')
    expect((await parseMail(aMail({ to: crowd }))).to).toHaveLength(50)
  })

  it('brings as many files as a message may have', async () => {
    const files = Array.from({ length: 30 }, (_, i) => ({
      name: `${i}.txt`,
      type: 'text/plain',
      bytes: Buffer.from('x'),
    }))
    const many = await parseMail(aMail({ files }))
    expect([many.files.length, many.leftOut.length]).toEqual([20, 10])
    const large = { name: 'large.bin', type: 'application/octet-stream', bytes: Buffer.alloc(11_000_000) }
    const one = await parseMail(aMail({ files: [large, ...files.slice(0, 1)] }))
    expect(one.files.map(({ name }) => name)).toEqual(['0.txt'])
  })

  it('is cut at lengths that can be shown', async () => {
    const mail = await parseMail(aMail({ html: `<div>${'<p>x</p>'.repeat(100_000)}</div>`, text: 'y'.repeat(300_000) }))
    expect(mail.html).toMatch(/^<p>y+…<\/p>$/)
    expect(mail.text).toHaveLength(200_001)
    const deep = await parseMail(aMail({ html: '<div>'.repeat(20_000) + 'deep' }))
    expect(deep.html.length).toBeLessThan(2000)
  })
})

describe('the thread that reads', () => {
  it('hands over what it read', async () => {
    expect(await readMail(aMail({ text: 'Hello' }))).toMatchObject({ mail: { text: 'Hello', files: [] } })
    const withFile = await readMail(
      aMail({ files: [{ name: 'a.txt', type: 'text/plain', bytes: Buffer.from('abc') }] }),
    )
    expect('mail' in withFile && Buffer.from(withFile.mail.files[0]?.bytes ?? []).toString()).toBe('abc')
  })

  it('keeps away what is too large, too deep or all headers', async () => {
    expect(await readMail(Buffer.alloc(mailLimits.bytes + 1))).toEqual({ reason: 'size' })
    expect(await readMail(nested(49))).toHaveProperty('mail')
    expect(await readMail(nested(60))).toEqual({ reason: 'depth' })
    expect(await readMail(aMail({ headers: [`X-Long: ${'x'.repeat(mailLimits.headerBytes)}`] }))).toEqual({
      reason: 'headers',
    })
    const many = multipart(
      'mixed',
      Array.from({ length: 3000 }, (_, i) => `X-${i}: ${'y'.repeat(100)}\r\n\r\nx`),
    )
    expect(await readMail(eml([...headersOf({}), `Content-Type: ${many.type}`], many.body))).toEqual({
      reason: 'headers',
    })
  })

  it('is ended when its time is over', async () => {
    // So much that it takes longer than whoever waits for it may be held up.
    expect(await readMail(aMail({ text: 'Can you start on Monday?\r\n'.repeat(400_000) }), 1)).toEqual({
      reason: 'time',
    })
  })
})

describe('a delivery report', () => {
  const about = '<0190d2f0-1111-4222-8333-444455556666@brolga.example>'

  it('tells of each recipient, with the mail it is about', async () => {
    const mail = await parseMail(
      aReport({
        about,
        recipients: [
          { address: 'Gone@emu.example', said: 'smtp; 550 5.1.1 no such user' },
          { address: '<full@emu.example>', status: '5.2.2 (mailbox full)' },
          { address: 'late@emu.example', action: 'delayed', status: '4.4.1' },
          { address: 'there@emu.example', action: 'delivered', status: '2.0.0' },
        ],
      }),
    )
    expect(mail.answers).toEqual([about])
    expect(mail.isAutomatic).toBe(true)
    expect(mail.report).toEqual([
      { address: 'gone@emu.example', action: 'failed', status: '5.1.1', said: '550 5.1.1 no such user' },
      { address: 'full@emu.example', action: 'failed', status: '5.2.2', said: '550 no such user' },
      { address: 'late@emu.example', action: 'delayed', status: '4.4.1', said: '550 no such user' },
      { address: 'there@emu.example', action: 'delivered', status: '2.0.0', said: '550 no such user' },
    ])
  })

  it('is only what says so itself', async () => {
    const { type, body } = multipart('mixed', [
      'Content-Type: message/delivery-status\r\n\r\n' +
        'Final-Recipient: rfc822; a@x.example\r\nAction: failed\r\nStatus: 5.1.1\r\n',
    ])
    expect((await parseMail(eml([...headersOf({}), `Content-Type: ${type}`], body))).report).toBeNull()
    const quoted = 'Final-Recipient: rfc822; a@x.example\nAction: failed\nStatus: 5.1.1'
    expect((await parseMail(aMail({ text: quoted, headers: ['Auto-Submitted: auto-replied'] }))).report).toBeNull()
    expect((await parseMail(aReport({ kind: 'disposition-notification' }))).report).toEqual([])
  })

  it('tells nothing where it cannot be read', async () => {
    const of = async (address: string, action: string) =>
      (await parseMail(aReport({ recipients: [{ address, action }] }))).report
    expect(await of('not an address', 'failed')).toEqual([])
    expect(await of('a@x.example', 'exploded')).toEqual([])
    expect(await of('a@x.example', 'FAILED (for good)')).toHaveLength(1)
    const crowd = Array.from({ length: 5000 }, (_, i) => ({ address: `p${i}@x.example` }))
    expect((await parseMail(aReport({ recipients: crowd }))).report).toHaveLength(100)
  })

  it.each([
    ['failed', '5.1.1', true, true],
    ['failed', '5.1.2', true, true],
    ['failed', '5.1.3', true, true],
    ['failed', '5.1.6', true, true],
    ['failed', '5.1.10', true, true],
    ['failed', '5.2.1', true, true],
    ['failed', '5.2.2', true, false],
    ['failed', '5.7.1', true, false],
    ['failed', '4.4.7', true, false],
    ['failed', null, true, false],
    ['delayed', '5.1.1', false, false],
    ['delivered', '2.0.0', false, false],
    ['failed', '2.0.0', false, false],
  ] as const)('%s %s bounces: %s, and closes the address: %s', (action, status, isBounce, isClosed) => {
    expect([bounces({ action, status }), suppresses({ action, status })]).toEqual([isBounce, isClosed])
  })
})
