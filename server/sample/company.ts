/** How it deals with its customers: good for any business that is to be looked at with sample data. */
export const habits = {
  defaultTermsDays: 14,
  defaultValidityDays: 30,
  defaultDepositRule: { type: 'percent', value: 3000 },
  quoteTerms:
    'Hire is charged by the week or part of a week, from delivery until we collect after your off-hire notice.\n' +
    'Installation needs clear access for a truck and level ground.\n' +
    'Council permits are charged at cost. Dates are confirmed when the deposit is paid.',
  invoiceNotes: 'Thank you for your business. Please quote the invoice number with your payment.',
  primaryColour: '#7367F0',
} as const

/**
 * The company everything in the sample belongs to: it hires out and installs hoardings, fencing and event equipment.
 */
export const company = {
  legalName: 'Currawong Hire & Install Pty Ltd',
  tradingName: 'Currawong Hire',
  abn: '91888222000',
  gstRegistered: true,
  email: 'hello@demo.example',
  phone: '02 5550 1820',
  website: 'https://currawong.example',
  address: { line1: '14 Foundry Lane', suburb: 'Marrickville', state: 'NSW', postcode: '2204' },
  bankAccount: {
    accountName: 'Currawong Hire & Install',
    bsb: '012-345',
    accountNumber: '123456789',
    payId: 'accounts@demo.example',
  },
  ...habits,
} as const

export const people = [
  ['admin', 'Ada', 'Okafor', 'Administrator'],
  ['office', 'Ollie', 'Marsh', 'Office'],
  ['sales', 'Saskia', 'Novak', 'Sales'],
  ['field', 'Finn', 'Taufa', 'Field'],
  ['accountant', 'Anh', 'Pham', 'Accountant'],
  ['readonly', 'Remy', 'Clarke', 'Read only'],
] as const
export type PersonKey = (typeof people)[number][0]
