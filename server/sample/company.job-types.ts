import type { z } from 'zod'
import type { jobTypesApi } from '../../contract/job-types.ts'

type JobType = Omit<z.input<typeof jobTypesApi.create.body>, 'lines' | 'optionGuids'> & {
  /** By code. */
  options?: readonly string[]
  lines: readonly (readonly [sku: string, quantity: string])[]
}

const check = (code: string, label: string, required = false) => ({ code, label, required })

/** What the sample company does again and again. */
export const jobTypes: readonly JobType[] = [
  {
    name: 'Event set-up',
    durationMin: 180,
    bufferBeforeMin: 30,
    bufferAfterMin: 30,
    checklist: [
      check('ground', 'Ground checked for pipes and cables', true),
      check('weights', 'Weights or stakes in place', true),
      check('photo', 'Photo for the customer'),
    ],
    lines: [
      ['MAR-66', '1'],
      ['TAB-SET', '6'],
      ['DEL-METRO', '1'],
    ],
    options: ['set-up-day', 'access-notes'],
    depositRule: { type: 'percent', value: 5000 },
    strings: {
      title: { en: 'Your event', fr: 'Votre événement', ar: 'مناسبتك' },
      crew: { en: 'Be on site {{ order.scheduledOn | date }}. {{ site.name | default: customer.name }}' },
      quoteHeading: {
        en: 'Your event, {{ customer.name }}',
        fr: 'Votre événement, {{ customer.name }}',
        ar: 'مناسبتك، {{ customer.name }}',
      },
      quoteText: {
        en:
          'Everything below is delivered, set up and taken down by us.' +
          '{% if quote.validUntil %} Dates are held until {{ quote.validUntil | date }}.{% endif %}',
        fr: 'Livraison, montage et démontage compris. Dates réservées jusqu’au {{ quote.validUntil | date }}.',
        ar: 'نتولى التسليم والتركيب والفك. التواريخ محجوزة حتى {{ quote.validUntil | date }}.',
      },
      orderText: { en: 'Please keep the lawn dry the day before we come.' },
      invoiceText: { en: 'Thank you for celebrating with us.' },
    },
  },
  {
    name: 'Hoarding installation',
    durationMin: 480,
    bufferBeforeMin: 60,
    bufferAfterMin: 0,
    checklist: [check('permit', 'Council permit on site', true), check('signs', 'Safety signs fixed', true)],
    lines: [
      ['HOA-A', '20'],
      ['SIG-SAFE', '1'],
    ],
    depositRule: { type: 'percent', value: 3000 },
    strings: {
      quoteHeading: { en: 'Hoarding at {{ site.suburb | default: "your site" }}' },
      quoteText: {
        en: "This quote has {{ quote.lines.size }} {{ quote.lines.size | plural: 'line', 'lines' }}.",
      },
      orderHeading: { en: 'Hoarding at {{ site.suburb | default: "your site" }}' },
    },
  },
  {
    name: 'Fence hire',
    durationMin: 120,
    bufferBeforeMin: 15,
    bufferAfterMin: 15,
    checklist: [check('braces', 'Braces every six metres')],
    lines: [
      ['FEN-HIRE', '24'],
      ['FEN-INST', '48'],
    ],
    strings: { title: { en: 'Temporary fencing', fr: 'Clôture temporaire', ar: 'سياج مؤقت' } },
  },
  {
    name: 'Site inspection',
    durationMin: 45,
    checklist: [check('report', 'Report sent', true)],
    lines: [['ENG-CERT', '1']],
    strings: { description: { en: 'We look at the site and send a report within two days.' } },
  },
]
