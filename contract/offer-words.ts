import { type Language, languages } from './core/languages.ts'

/** Words that offers are made of. What reads like one goes only to those who agreed, or says that it is facts. */
export const offerWords: Readonly<Record<Language, readonly string[]>> = {
  en: [
    ...['offer', 'offers', 'special', 'specials', 'sale', 'sales', 'discount', 'discounts', 'discounted', 'promo'],
    ...['promotion', 'promotions', 'coupon', 'coupons', 'voucher', 'vouchers', 'bargain', 'bargains', 'deal', 'deals'],
    ...['% off', 'per cent off', 'save up to', 'limited time', 'last chance', 'free gift', 'giveaway', 'clearance'],
  ],
  fr: [
    ...['offre', 'offres', 'promotion', 'promotions', 'promo', 'promos', 'solde', 'soldes', 'remise', 'remises'],
    ...['rabais', 'réduction', 'réductions', 'ristourne', 'coupon', 'coupons', 'bon de réduction', 'bonne affaire'],
    ...['bonnes affaires', 'durée limitée', 'dernière chance', 'cadeau', 'liquidation', 'déstockage'],
  ],
  ar: [
    ...['عرض خاص', 'عروض', 'العروض', 'تخفيض', 'تخفيضات', 'التخفيضات', 'خصم', 'خصومات', 'الخصم', 'تنزيلات', 'التنزيلات'],
    ...['قسيمة', 'كوبون', 'هدية مجانية', 'صفقة', 'لفترة محدودة', 'فرصة أخيرة', 'تصفية'],
  ],
}

const escaped = (word: string) => word.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll(' ', '\\s+')
const patterns = Object.fromEntries(
  languages.map((language) => [
    language,
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${offerWords[language].map(escaped).join('|')})(?![\\p{L}\\p{N}])`, 'iu'),
  ]),
) as Readonly<Record<Language, RegExp>>

/** Whether a text has the words of an offer, in whichever of the languages it is written. */
export const readsLikeOffer = (text: string): boolean => languages.some((language) => patterns[language].test(text))
export const offerQuestion = 'This reads like an offer. Is it only facts?'
