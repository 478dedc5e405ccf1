import { expect, test } from 'vitest'
import { lineVerdict, surchargeProblems, surchargeSentence, textVerdict } from './surcharge.ts'

test.each([
  'Credit card surcharge',
  'Card surcharge 1.5%',
  'Card fee',
  'Card processing fee',
  'Credit card processing 1.2%',
  'Merchant fee',
  'Merchant service fee (1.1%)',
  'Payment fee',
  'Payment processing fee',
  'Transaction fee',
  'EFTPOS surcharge',
  'Visa/Mastercard surcharge',
  'Visa, Mastercard and Amex surcharge',
  'Visa fee 0.9%',
  'Mastercard levy',
  'Apple Pay surcharge',
  'Digital wallet fee',
  'Tap and go surcharge',
  'Surcharge for card payment',
  'Fee for paying by card',
  'Debit card charge',
  'Recovery of Visa cost recovery',
  'Frais de carte bancaire',
  'Frais de paiement par carte',
  'Supplément carte de crédit 1,5 %',
  'Gift card, credit card surcharge',
  'Visa processing fee',
  'Card clearing: green card surcharge',
  'Business card surcharge 1.5%',
])('a line that blocks: %s', (text) => expect(lineVerdict(text)).toBe('blocks'))

test.each(['Amex surcharge 2%', 'American Express fee', 'PayPal fee', 'PayPal surcharge', 'Amex card surcharge'])(
  'a line of others: %s',
  (text) => expect(lineVerdict(text)).toBe('other'),
)

test.each(['Surcharge', 'Surcharge 1.5%', 'Processing fee'])('a line that says too little: %s', (text) =>
  expect(lineVerdict(text)).toBe('nameless'),
)

test.each([
  'Gift card',
  'Gift card fee',
  'Surcharge for weekend work',
  'Weekend surcharge 25%',
  'Public holiday surcharge',
  'After-hours surcharge (10%)',
  'Fuel levy',
  'Fuel surcharge 4%',
  'Builders merchant: timber',
  'Sign for Merchant Bank',
  'White card training fee',
  'Access card replacement fee',
  'EFTPOS terminal hire',
  'EFTPOS machine hire fee',
  'Late payment fee',
  'Overdue payment fee',
  'Council application processing fee',
  'Visa application fee',
  'Visa application processing fee',
  'Processing fee for council permit',
  'Green card fee',
  'Business cards, 500',
  'Cardboard disposal fee',
  'Delivery fee',
  'Hoarding, charge per panel week',
  'Install card reader at gate',
  'Carte cadeau',
  'Frais de déplacement',
  'Booking fee',
  'Progress payment 3',
  'Final payment',
  'Wallet Park fence',
])('a line that passes: %s', (text) => expect(lineVerdict(text)).toBeNull())

test.each([
  'A 1.5% surcharge applies to card payments.',
  'A surcharge of 1.5 % applies to all credit cards',
  'Credit card payments attract a 2% fee.',
  'For card payments, a surcharge of 1.5% applies.',
  'We charge 1.5% for payment by card.',
  'Card payments are charged 1.2%',
  'Visa and Mastercard: 1.1% is added',
  'EFTPOS surcharge applies.',
  'Merchant fees of 1.2% apply.',
  'Pay by transfer, no surcharge, or by card with a 1.5% surcharge.',
  'No surcharge for bank transfer; card payments attract a fee of 1%.',
  'Thank you!\nPaying with Apple Pay costs an extra 1%.',
  'Des frais de 1,5 % s’appliquent aux paiements par carte.',
  'Un supplément de 1 % est facturé pour les cartes bancaires.',
  'رسوم 1.5% على الدفع ببطاقة فيزا بطاقة',
  'Card surcharge is not refundable.',
])('a term that blocks: %s', (text) => expect(textVerdict(text)).toBe('blocks'))

test.each(['Amex payments attract a 2% surcharge.', 'PayPal fee: 2%'])('a term of others: %s', (text) =>
  expect(textVerdict(text)).toBe('other'),
)

test.each([
  'Pay by card, transfer or PayID.',
  'No surcharge for card payments.',
  'We don’t charge card fees.',
  'We do not surcharge Visa or Mastercard.',
  'Card payments incur no fees.',
  '1.5% discount for bank transfer.',
  'Take 2% off when you pay by bank transfer instead of card.',
  'A late payment fee of $25 applies. Pay by card or transfer.',
  'Weekend surcharge applies to Saturday work. Cards are welcome.',
  'Your card will be charged $100 when you book.',
  'Merchant Builders pays within 30 days.',
  'A 30% deposit is charged to your card when you book.',
  'GST of 10% is added to prices of jobs that are paid by card.',
  'Delivery is extra, Visa is welcome.',
  'All card fees are included in our prices.',
  'Gift cards are not refundable; a booking fee applies.',
  'Council permits are charged at cost.',
  'Paiement par carte sans frais.',
  'Aucun frais pour les paiements par carte.',
  'Thank you for your business. Please quote the invoice number with your payment.',
  'Hire is charged by the week or part of a week.',
])('a term that passes: %s', (text) => expect(textVerdict(text)).toBeNull())

const surcharge = { index: 0, name: 'Card surcharge', totalCents: 150 }
const codes = (change: Partial<Parameters<typeof surchargeProblems>[0]>) =>
  surchargeProblems({ issueOn: '2026-10-01', lines: [], texts: [], ...change }).map(
    ({ code, blocks }) => `${code}${blocks ? '' : ' (a hint)'}`,
  )

test('counts from 1 October 2026, for what is charged and not for what is taken off', () => {
  expect(codes({ lines: [surcharge] })).toEqual(['CARD_SURCHARGE'])
  expect(codes({ lines: [surcharge], issueOn: '2026-09-30' })).toEqual([])
  expect(codes({ lines: [{ ...surcharge, totalCents: -150 }] })).toEqual([])
  expect(codes({ lines: [{ ...surcharge, totalCents: 0 }] })).toEqual([])
  expect(codes({ lines: [{ index: 0, name: 'Extra', description: 'Visa surcharge 1%', totalCents: 1 }] })).toEqual([
    'CARD_SURCHARGE',
  ])
  expect(codes({ texts: ['A 1% surcharge applies to cards.', null] })).toEqual(['CARD_SURCHARGE_TEXT'])
  expect(
    codes({
      lines: [
        { index: 0, name: 'Amex surcharge', totalCents: 1 },
        { index: 1, name: 'Surcharge', totalCents: 1 },
      ],
    }),
  ).toEqual(['OTHER_CARD_SURCHARGE (a hint)', 'NAMELESS_SURCHARGE (a hint)'])
  expect(surchargeProblems({ issueOn: '2027-01-01', lines: [surcharge], texts: [] })[0]?.message).toBe(
    'Card networks may not be surcharged since 1 October 2026. Put the cost into your prices, or give a discount for ' +
      'bank transfer.',
  )
  expect(surchargeSentence).toContain('1 October 2026')
})

test('reads the longest texts at once', () => {
  const long = 'card fee no surcharge for the any all '.repeat(2000)
  const began = performance.now()
  textVerdict(long)
  lineVerdict(long.slice(0, 2200))
  expect(performance.now() - began).toBeLessThan(1000)
})
