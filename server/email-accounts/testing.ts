import type { TestStep, TestStepName } from '../../contract/email-accounts.ts'
import { ImapError, sentFolderOf } from '../core/adapters/imap.ts'
import { rawOf } from '../core/adapters/mail.ts'
import { saidOf, smtpSession } from '../core/adapters/smtp.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { checkOutbound } from '../core/outbound.ts'
import { imapOf, isSampleHost, loginOf, silenceMs, tooLate } from './connections.service.ts'
import type { AccountRow } from './email-accounts.queries.ts'
import { accountAnswered, accountFailed, accountMended, accountUnproven } from './routes.service.ts'
import { AccountLoginError } from './tokens.ts'

/** How long the steps of a test can be read. */
const keptMs = 3_600_000
/** The way out may take so long in all, so that what follows is answered in time. */
const smtpMs = 25_000

interface Steps {
  readonly taken: TestStep[]
  /** Tells of a step at once where somebody waits for it. */
  add(step: TestStep): Promise<void>
}

async function stepsOf(ctx: OpenCtx, accountGuid: string, run: string | undefined): Promise<Steps> {
  const taken: TestStep[] = []
  if (run === undefined) return { taken, add: async (step) => void taken.push(step) }
  const beganAt = ctx.deps.now()
  const old = new Date(beganAt.getTime() - keptMs).toISOString()
  await ctx.db.deleteFrom('emailAccountTests').where('beganAt', '<', old).execute()
  await ctx.db
    .insertInto('emailAccountTests')
    .values({ run, accountGuid, beganAt })
    .onConflict((c) => c.column('run').doNothing())
    .execute()
  return {
    taken,
    add: async (step) => {
      taken.push(step)
      await testOf(ctx, accountGuid, run)
        .set({ steps: JSON.stringify(taken) })
        .execute()
    },
  }
}

const testOf = (ctx: Pick<Ctx, 'db'>, accountGuid: string, run: string) =>
  ctx.db.updateTable('emailAccountTests').where('run', '=', run).where('accountGuid', '=', accountGuid)

/** The steps of a test so far; none where nobody has begun it, or for long. */
export async function stepsSoFar(ctx: Ctx, accountGuid: string, run: string): Promise<TestStep[]> {
  const row = await ctx.db
    .selectFrom('emailAccountTests')
    .select('steps')
    .where('run', '=', run)
    .where('accountGuid', '=', accountGuid)
    .executeTakeFirst()
  return row?.steps ?? []
}

/** The steps of one half: the first that fails ends it. */
function half(steps: Steps) {
  let isOver = false
  return async <T>(step: TestStepName, work: () => Promise<T>, said: (result: T) => string): Promise<T | null> => {
    if (isOver) return null
    const began = performance.now()
    const done = (ok: boolean, text: string) =>
      steps.add({ step, ok, ms: Math.round(performance.now() - began), said: text.slice(0, 500) })
    try {
      const result = await work()
      await done(true, said(result))
      return result
    } catch (error) {
      isOver = true
      await done(false, saidOf(error))
      if (error instanceof AccountLoginError) throw error
      return null
    }
  }
}

/** Tries the way out of an account, and its mailbox, and says of each step what the server answered. */
export async function testAccount(
  ctx: OpenCtx,
  account: AccountRow,
  { sendTo, run }: { sendTo?: string | undefined; run?: string | undefined },
): Promise<TestStep[]> {
  if (isSampleHost(ctx.deps.settings, account.smtp.host)) return []
  const steps = await stepsOf(ctx, account.guid, run)
  try {
    await testSmtp(ctx, account, sendTo, half(steps))
    if (account.imap) await testImap(ctx, account, steps)
  } catch (error) {
    if (!(error instanceof AccountLoginError)) throw error
    await accountFailed(ctx, account, { said: error.message, isLogin: true, status: error.status })
    return steps.taken
  }
  const wrong = steps.taken.find(({ ok }) => !ok)
  if (wrong) await accountUnproven(ctx, account, wrong.said)
  else {
    await accountMended(ctx, account)
    await accountAnswered(ctx, account)
  }
  return steps.taken
}

async function testSmtp(
  ctx: OpenCtx,
  account: AccountRow,
  sendTo: string | undefined,
  step: ReturnType<typeof half>,
): Promise<void> {
  const { smtp } = account
  const checked = await step(
    'resolve',
    () => checkOutbound(ctx.deps.settings, smtp, smtp.security === 'none'),
    ({ address }) => address,
  )
  if (!checked) return
  const session = smtpSession(checked, smtp.security, silenceMs)
  const late = setTimeout(() => session.close(tooLate), smtpMs)
  const itself = (text: string) => text
  try {
    await step('connect', () => session.connect(), itself)
    await step('secure', () => session.secure(), itself)
    if (account.authKind === 'oauth2' || smtp.username !== '')
      await step(
        'login',
        async () => {
          const login = await loginOf(ctx, account, 'smtp')
          return login ? session.login(login) : ''
        },
        itself,
      )
    if (sendTo)
      await step(
        'send',
        async () => session.send(...(await testMail(account, sendTo))),
        (t) => t.response,
      )
  } finally {
    clearTimeout(late)
    session.close()
  }
}

/** It is no message of anybody's: it is kept nowhere and counts nowhere. */
async function testMail({ fromName, fromAddress }: AccountRow, sendTo: string) {
  const t = phrases('messages')
  const guid = newGuid()
  const text = t('test.text', { address: fromAddress })
  const { raw } = await rawOf({
    guid,
    from: `"${fromName.replaceAll(/["\\<>]/g, '')}" <${fromAddress}>`,
    to: [sendTo],
    subject: t('test.subject'),
    html: `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`,
    text,
    messageId: `<${guid}@${fromAddress.split('@')[1] ?? 'localhost'}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
  return [{ from: fromAddress, to: [sendTo] }, raw] as const
}

async function testImap(ctx: OpenCtx, account: AccountRow, steps: Steps): Promise<void> {
  const began = performance.now()
  const since = () => Math.round(performance.now() - began)
  const opened = await imapOf(ctx, account).catch(async (error: unknown) => {
    const step =
      error instanceof ImapError ? error.step : error instanceof AccountLoginError ? 'imapLogin' : 'imapConnect'
    if (step === 'imapLogin' && error instanceof ImapError)
      await steps.add({ step: 'imapConnect', ok: true, ms: error.connectMs, said: error.greeting })
    await steps.add({ step, ok: false, ms: since(), said: saidOf(error) })
    if (error instanceof AccountLoginError) throw error
    return null
  })
  if (!opened) return
  const { client, connectMs, loginMs, greeting } = opened
  const step = half(steps)
  try {
    await steps.add({ step: 'imapConnect', ok: true, ms: connectMs, said: greeting })
    await steps.add({ step: 'imapLogin', ok: true, ms: loginMs, said: '' })
    await step(
      'sentFolder',
      async () => {
        const folder = await sentFolderOf(client, account.sentFolder)
        if (folder === null) throw new Error(phrases('messages')('test.noSentFolder'))
        return folder
      },
      (folder) => folder,
    )
  } finally {
    client.close()
  }
}
