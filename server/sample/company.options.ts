import type { z } from 'zod'
import type { bookingOptionsApi } from '../../contract/booking-options-api.ts'

type Option = z.input<typeof bookingOptionsApi.create.body>

/** A question of every kind; heaters are asked about only where walls keep the warmth in. */
export const bookingOptions: readonly Option[] = [
  {
    code: 'surface',
    label: { en: 'Ground surface', fr: 'Type de sol', ar: 'نوع الأرض' },
    help: {
      en: 'We bring stakes for grass and weights for anything else.',
      fr: 'Nous apportons des piquets pour l’herbe et des lests pour tout autre sol.',
      ar: 'نحضر أوتادًا للعشب وأثقالًا لأي أرض أخرى.',
    },
    input: 'single',
    required: true,
    answeredBy: 'both',
    choices: [
      { code: 'grass', label: { en: 'Grass', fr: 'Herbe', ar: 'عشب' }, isDefault: true },
      {
        code: 'hard',
        label: { en: 'Concrete or paving', fr: 'Béton ou pavés', ar: 'خرسانة أو بلاط' },
        cents: 6500,
        per: 'once',
        durationMin: 30,
      },
      {
        code: 'deck',
        label: { en: 'Timber deck', fr: 'Terrasse en bois', ar: 'أرضية خشبية' },
        cents: 4000,
        per: 'once',
      },
    ],
  },
  {
    code: 'walls',
    label: { en: 'Walls', fr: 'Parois', ar: 'الجدران' },
    input: 'multi',
    answeredBy: 'both',
    choices: [
      { code: 'clear', label: { en: 'Clear walls', fr: 'Parois transparentes', ar: 'جدران شفافة' }, cents: 12_000 },
      {
        code: 'solid',
        label: { en: 'Solid walls', fr: 'Parois opaques', ar: 'جدران معتمة' },
        cents: 9000,
        durationMin: 20,
      },
      { code: 'door', label: { en: 'Zip door', fr: 'Porte à glissière', ar: 'باب بسحّاب' }, cents: 4500 },
    ],
  },
  {
    code: 'lights',
    label: { en: 'Lights', fr: 'Éclairage', ar: 'الإضاءة' },
    help: {
      en: 'Warm white festoons along the frame.',
      fr: 'Guirlandes blanc chaud le long de la structure.',
      ar: 'أشرطة إنارة بيضاء دافئة على طول الهيكل.',
    },
    input: 'boolean',
    answeredBy: 'both',
    choices: [{ code: 'yes', label: { en: 'Yes', fr: 'Oui', ar: 'نعم' }, bp: 1000, durationMin: 45 }],
  },
  {
    code: 'heaters',
    label: { en: 'Gas heaters', fr: 'Chauffages au gaz', ar: 'مدافئ غاز' },
    input: 'quantity',
    answeredBy: 'both',
    choices: [{ code: 'each', label: { en: 'Each', fr: 'L’unité', ar: 'لكل واحدة' }, cents: 8500, per: 'once' }],
    visibleWhen: {
      match: 'any',
      rules: [
        { option: 'walls', op: 'includes', value: 'clear' },
        { option: 'walls', op: 'includes', value: 'solid' },
      ],
    },
  },
  {
    code: 'set-up-day',
    label: { en: 'Set-up day', fr: 'Jour d’installation', ar: 'يوم التركيب' },
    input: 'date',
    answeredBy: 'both',
  },
  {
    code: 'ready-by',
    label: { en: 'Ready by', fr: 'Prêt avant', ar: 'جاهز قبل' },
    input: 'time',
    answeredBy: 'guest',
  },
  {
    code: 'delivery-address',
    label: { en: 'Delivery address', fr: 'Adresse de livraison', ar: 'عنوان التسليم' },
    help: {
      en: 'Only if it differs from the site.',
      fr: 'Seulement si elle diffère du lieu de l’intervention.',
      ar: 'فقط إذا كان مختلفًا عن الموقع.',
    },
    input: 'address',
    answeredBy: 'guest',
  },
  {
    code: 'access-notes',
    label: { en: 'Access notes', fr: 'Consignes d’accès', ar: 'ملاحظات الوصول' },
    help: {
      en: 'Gates, stairs, low branches, parking.',
      fr: 'Portails, escaliers, branches basses, stationnement.',
      ar: 'البوابات والسلالم والأغصان المنخفضة ومواقف السيارات.',
    },
    input: 'text',
    answeredBy: 'both',
  },
  {
    code: 'artwork',
    label: { en: 'Artwork', fr: 'Visuel', ar: 'التصميم' },
    help: {
      en: 'A PDF at full size, with 10 mm bleed.',
      fr: 'Un PDF en taille réelle, avec 10 mm de fond perdu.',
      ar: 'ملف PDF بالحجم الكامل مع هامش قص 10 مم.',
    },
    input: 'file',
    answeredBy: 'staff',
  },
]

/** What is asked for which product, by code. */
export const askedFor: Readonly<Record<string, readonly string[]>> = {
  'MAR-66': [
    'surface',
    'walls',
    'lights',
    'heaters',
    'set-up-day',
    'ready-by',
    'delivery-address',
    'access-notes',
    'artwork',
  ],
  'MAR-126': ['surface', 'walls', 'lights', 'heaters', 'set-up-day'],
  'TAB-SET': ['delivery-address', 'access-notes'],
  'PRI-GRA': ['artwork'],
}
