/** The accounts entries are posted to; the names are what people read in the journals. */
export const accounts = {
  bank: '1000',
  cardClearing: '1010',
  receivable: '1100',
  gstCollected: '2100',
  customerDeposits: '2200',
  customerCredit: '2300',
  sales: '4000',
} as const
export type Account = (typeof accounts)[keyof typeof accounts]

const accountNames: Record<Account, string> = {
  '1000': 'Bank',
  '1010': 'Card clearing',
  '1100': 'Accounts receivable',
  '2100': 'GST collected',
  '2200': 'Customer deposits',
  '2300': 'Customer credit (unallocated)',
  '4000': 'Sales',
}

export const accountName = (account: string): string =>
  account in accountNames ? accountNames[account as Account] : account
