export const accountTypes = ['asset', 'liability', 'equity', 'income', 'expense'] as const
export type AccountType = (typeof accountTypes)[number]

/**
 * The accounts every legal entity begins with, by the role that what happens to documents and money posts to. Their
 * names can be changed, their codes can't.
 */
export const chart = {
  bank: { code: '1000', name: 'Bank', type: 'asset' },
  cardClearing: { code: '1010', name: 'Card clearing', type: 'asset' },
  payoutsInTransit: { code: '1020', name: 'Payouts in transit', type: 'asset' },
  disputedFunds: { code: '1030', name: 'Disputed funds', type: 'asset' },
  moneyOut: { code: '1040', name: 'Money on its way out', type: 'liability' },
  receivable: { code: '1100', name: 'Accounts receivable', type: 'asset' },
  gstCollected: { code: '2100', name: 'GST collected', type: 'liability' },
  gstNotDue: { code: '2105', name: 'GST not yet due', type: 'liability' },
  gstForward: { code: '2106', name: 'GST brought forward', type: 'asset' },
  customerDeposits: { code: '2200', name: 'Customer deposits', type: 'liability' },
  securityDeposits: { code: '2250', name: 'Security deposits', type: 'liability' },
  customerCredit: { code: '2300', name: 'Customer credit (unallocated)', type: 'liability' },
  suspense: { code: '2900', name: 'Suspense', type: 'liability' },
  sales: { code: '4000', name: 'Sales', type: 'income' },
  cardFees: { code: '6100', name: 'Card fees', type: 'expense' },
  gstOnFees: { code: '6110', name: 'GST on fees', type: 'asset' },
  badDebts: { code: '6200', name: 'Bad debts', type: 'expense' },
  rounding: { code: '6900', name: 'Rounding', type: 'expense' },
} as const satisfies Readonly<Record<string, { code: string; name: string; type: AccountType }>>
export type AccountRole = keyof typeof chart
export const accountRoles = Object.keys(chart) as AccountRole[]

/** The code of each role's account. */
export const accounts = Object.fromEntries(accountRoles.map((role) => [role, chart[role].code])) as {
  readonly [Role in AccountRole]: (typeof chart)[Role]['code']
}

/** What entries are posted by: an event of a document or of money, or somebody's hand. */
export const journalSources = [
  'invoice',
  'void',
  'payment',
  'adjustment_note',
  'refund',
  'payment_reversal',
  'allocation',
  'unallocation',
  'write_off',
  'recovery',
  'deposit_forfeited',
  'gst_forward',
  'gst_due',
  'basis_change',
  'manual',
  'reversal',
] as const
export type JournalSource = (typeof journalSources)[number]

/** What the narrative of a reversal by hand begins with; the rest is that of the entry it takes back. */
export const reversalBegins = 'Reversal of '
