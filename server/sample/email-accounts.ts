import { emailAccountsApi } from '../../contract/email-accounts.ts'
import { emailAccounts as service } from '../email-accounts/email-accounts.service.ts'
import { play, type Stage } from './actors.ts'
import { company } from './company.ts'

const domain = company.email.split('@')[1] ?? ''
const server = (name: 'smtp' | 'imap', username: string) => ({
  host: `${name}.${domain}`,
  port: name === 'smtp' ? 587 : 993,
  security: name === 'smtp' ? ('starttls' as const) : ('tls' as const),
  username,
})
const password = { kind: 'password' as const, password: 'of nobody' }

/**
 * Three accounts, as an office has them: one that sends, one that is paused, one that waits for a login. Their servers
 * never exist, so that what leaves by them is kept in the local outbox, and nobody is ever connected to.
 */
export async function makeEmailAccounts(stage: Stage): Promise<void> {
  const common = { dailyCap: 500, perMinuteCap: 30, plusAddressing: false }
  const [billing, general, offers] = ['accounts', 'office', 'offers'].map((name) => `${name}@${domain}`) as [
    string,
    string,
    string,
  ]
  await play(stage, emailAccountsApi.create, service.create, {
    ...common,
    purpose: 'billing',
    fromName: `${company.tradingName} Accounts`,
    fromAddress: billing,
    smtp: server('smtp', billing),
    status: 'active',
    failoverOrder: 0,
    auth: password,
  })
  await play(stage, emailAccountsApi.create, service.create, {
    ...common,
    purpose: 'general',
    fromName: company.tradingName,
    fromAddress: general,
    smtp: server('smtp', general),
    imap: server('imap', general),
    status: 'paused',
    failoverOrder: 1,
    auth: password,
  })
  await play(stage, emailAccountsApi.create, service.create, {
    ...common,
    purpose: 'marketing',
    fromName: company.tradingName,
    fromAddress: offers,
    smtp: server('smtp', offers),
    imap: server('imap', offers),
    dailyCap: 200,
    status: 'active',
    failoverOrder: 2,
    auth: { kind: 'oauth2', provider: 'google' },
  })
}
