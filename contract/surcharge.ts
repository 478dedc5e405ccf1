/**
 * Charges for paying by card. From 1 October 2026 eftpos, Visa and Mastercard, and the wallets that carry them, may not
 * be surcharged (RBA Conclusions Paper 03-2026; to be confirmed); Amex and PayPal have rules of their own. Words alone
 * say what a line or a term charges for, so only a charge together with words of paying by card counts.
 */

const surchargesEndOn = '2026-10-01'
export const surchargeSentence =
  'Card networks may not be surcharged since 1 October 2026. Put the cost into your prices, or give a discount for ' +
  'bank transfer.'
const otherCardSentence = 'Amex and PayPal surcharges may be no more than what the payment costs you.'
const namelessSurchargeSentence = 'Say what the surcharge is for: paying by card may not be surcharged.'

type Verdict = 'blocks' | 'other' | 'nameless' | null

/** Words between letters of any language, which `\b` only knows of plain ones. */
const words = (...alternatives: string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'iu')
const everywhere = ({ source }: RegExp) => new RegExp(source, 'giu')

const fee = '(?:surcharges?|fees?|levy|levies|charges?)'
const cardWork = '(?: (?:replacement|issue|issuing|training))?'
const frenchFee = '(?:frais|suppl[ée]ments?|surcharges?|surtaxes?|commissions?|majorations?)'

/** What looks like it and is something else: taken out before anything is looked for. */
const harmless = [
  words(
    // What is charged for is not the payment.
    `(?:weekend|week-end|saturday|sunday|holidays?|after[- ]hours|out[- ]of[- ]hours|overtime|night|emergency|fuel|` +
      `travel|delivery|freight|call[- ]?out|cancellation|booking|site|waste|disposal|tip|tipping|parking|toll|peak|` +
      `late(?: payments?)?|overdue(?: payments?)?|failed payment|missed payment|dishonour(?:ed payment)?|` +
      `application|permit|council|licen[cs]e|admin(?:istration)?|progress|final|first|balance) ${fee}`,
    `${fee} for (?:(?:the|any|all|our|your) )?(?:weekends?|saturdays?|sundays?|(?:public )?holidays?|after|out of|` +
      `overtime|nights?|late|deliver\\w*|work\\w*|travel\\w*|fuel|urgent|emergenc\\w*)` +
      '(?: (?:work|jobs?|hours|payments?))?',
    // Cards that nobody pays with, and machines.
    '(?:gift|sim|sd|memory|greeting|christmas|place|id|identity|access|key|swipe|proximity|security|graphics|' +
      `construction|induction|licen[cs]e|high[- ]risk) cards?${cardWork}(?: ${fee})?`,
    // A colour or a club is also what a bank calls its cards: only a surcharge says that it is one of these.
    '(?:business|membership|loyalty|white|blue|green|red|yellow|time|score|fuel|opal|myki|report|network|wild|rate|' +
      `colou?r) cards?(?! surcharges?)${cardWork}(?: ${fee})?`,
    '(?:eftpos|card) (?:terminals?|machines?|readers?|devices?|printers?|holders?|tables?|stands?)' +
      `(?: (?:hire|rental|installation|setup|supply|delivery))?(?: ${fee})?`,
    '(?:work|student|partner|travel|tourist|skilled|bridging|immigration|business|working holiday) visas?' +
      `(?: processing)?(?: ${fee})?`,
    'visas? (?:applications?|applicants?|sponsorships?|subclass|grants?|lodg\\w+)' + `(?: processing)?(?: ${fee})?`,
    "cartes? (?:cadeaux?|de visite|d[’']acc[eè]s|d[’']identit[ée]|sim|grise)",
  ),
].map(everywhere)

const networks = words(
  'eftpos',
  'visa',
  'master ?cards?',
  '(?:apple|google|samsung) ?pay',
  '(?:digital|mobile|electronic)? ?wallets?',
  'pay ?pass',
  'pay ?wave',
  'tap[- ](?:and|&|n)[- ]?go',
  'contactless',
  'debit cards?',
  'cartes? de d[ée]bit',
)
const others = words('amex', 'american express', 'paypal', 'diners(?: club)?')
/** Paying by card, whichever. */
const cards = words(
  '(?:credit|bank) cards?',
  `cards? (?:payments?|transactions?|processing|surcharges?|${fee})`,
  '(?:pay\\w*|made|settl\\w+) (?:(?:invoices?|this|it|your bill) )?(?:by|with|via|using|on|through) ' +
    '(?:an? |any |your )?cards?',
  '(?:by|with|via|using|for|on|to|of|all) (?:all |any |an? |using )?cards?',
  'cartes? (?:bancaires?|de cr[ée]dit)',
  '(?:par|de|avec) (?:la )?cartes?',
  'بطاق[ةه]',
  'بطاقات',
)
/** Charges that say by their name that they are for the payment. */
const feesOfPayment = words(
  `(?:card|cards|merchant|stripe|tyro|zeller)(?: payments?| processing| services?| transactions?| facility)* ${fee}`,
  `(?:payments?|transaction)(?: processing| gateway| method| platform)? ${fee}`,
  `payment processing`,
  '(?:surcharges?|surcharged) (?:for|on) (?:card|cards|payments?)',
  `${frenchFee} de (?:paiement|transaction|carte)`,
)
const bareFee = words(`processing ${fee}`)
const surcharge = words('surcharges?', 'surcharged', 'surcharging')

/** A term says that something is added. */
const addsFee = words(
  'surcharges?',
  'surcharged',
  'fees?',
  'levy',
  '(?:extra|additional) (?:\\d\\S*|charges?|costs?)',
  'charges? of',
  `${frenchFee}`,
  'رسوم',
)
const addsShare = /\d\s*(?:%|percent|per cent|pour cent)/i
const chargesShare = words('charged?', 'charges?', 'charging', 'add(?:ed|s)?', 'attracts?', 'incurs?', 'factur[ée]e?s?')
/** …or that it is not. */
const deniesFee = words(
  `(?:no|zero|nil|without|free of|without any|any) (?:[\\p{L}-]+ ){0,3}?${fee}`,
  "(?:do not|don[’']?t|does not|doesn[’']?t|never|not|won[’']?t|will not|no longer) (?:be )?" +
    '(?:charg\\w*|add\\w*|surcharg\\w*|pass\\w*|incur|attract|pay|apply)',
  'waived?',
  'absorb\\w*',
  '(?:included|built) in(?:to)?',
  '(?:fee|surcharge)[- ]free',
  '(?:sans|aucun|pas de|ni) (?:[\\p{L}-]+ ){0,2}?(?:frais|suppl[ée]ments?|commissions?)',
  'inclus(?:es?)?',
  'بدون',
  'لا',
)

const cleaned = (text: string) => harmless.reduce((rest, what) => rest.replace(what, ' '), text.replace(/\s+/g, ' '))

/** By whose cards: networks first, then those that have their own rules. */
const verdictOf = (text: string): Verdict => (networks.test(text) ? 'blocks' : others.test(text) ? 'other' : 'blocks')

/** What a line charges for, by its name and description; its amount is more than nothing. */
export function lineVerdict(text: string): Verdict {
  const rest = cleaned(text)
  if (deniesFee.test(rest)) return null
  const named = words(fee, frenchFee, 'recovery', 'cost recovery')
  const isCharge = named.test(rest) || addsShare.test(rest)
  if (feesOfPayment.test(rest)) return verdictOf(rest)
  if (isCharge && (networks.test(rest) || cards.test(rest))) return verdictOf(rest)
  if (isCharge && others.test(rest)) return 'other'
  const alone = rest.replace(/[\d.,%$()+-]/g, ' ').trim()
  // A council has its processing fee as well: whether this one is for the payment only its writer knows.
  if (bareFee.test(alone) && alone.split(/\s+/).length === 2) return 'nameless'
  return surcharge.test(alone) && alone.split(/\s+/).length === 1 ? 'nameless' : null
}

/** A share that is something else. */
const otherShare = words('deposits?', 'gst', 'interest', 'retention', 'acomptes?', 'int[ée]r[êe]ts?')

const saysFee = (text: string) =>
  addsFee.test(text) || (addsShare.test(text) && chargesShare.test(text) && !otherShare.test(text))
const saysCard = (text: string) => networks.test(text) || others.test(text) || cards.test(text)

/** A sentence charges for cards where it names them and a fee, and doesn't say that there is none. */
function clauseVerdict(text: string): Verdict {
  if (feesOfPayment.test(text) && !deniesFee.test(text)) return verdictOf(text)
  if (!saysFee(text) || !saysCard(text)) return null
  if (!deniesFee.test(text)) return verdictOf(text)
  const clauses = text.split(/,|\b(?:but|however|except|mais|sauf)\b/i)
  return clauses.length > 1 ? worst(clauses.map(clauseVerdict)) : null
}

const worst = (verdicts: readonly Verdict[]): Verdict =>
  (['blocks', 'other', 'nameless'] as const).find((one) => verdicts.includes(one)) ?? null

/** What notes or terms say is added for paying by card. */
export const textVerdict = (text: string): Verdict =>
  worst(
    text
      .split(/[!?;\n]|\.(?!\d)/)
      .map(cleaned)
      .map(clauseVerdict),
  )

export interface Surcharging {
  /** The day of issue, in the business's zone. */
  issueOn: string
  /** Charges: what is taken off passes, whatever it is called. */
  lines: readonly { index: number; name: string; description?: string | null | undefined; totalCents: number }[]
  /** Notes and terms. */
  texts: readonly (string | null)[]
}

interface SurchargeProblem {
  code: 'CARD_SURCHARGE' | 'CARD_SURCHARGE_TEXT' | 'OTHER_CARD_SURCHARGE' | 'NAMELESS_SURCHARGE'
  message: string
  blocks: boolean
  /** The lines that it is about, from 0; empty where it is about notes or terms. */
  lines: { index: number; name: string }[]
}

const hints = [
  ['other', 'OTHER_CARD_SURCHARGE', otherCardSentence],
  ['nameless', 'NAMELESS_SURCHARGE', namelessSurchargeSentence],
] as const

/** What an invoice may not charge for from 1 October 2026, and what to look at. */
export function surchargeProblems({ issueOn, lines, texts }: Surcharging): SurchargeProblem[] {
  if (issueOn < surchargesEndOn) return []
  const ofLines = lines
    .filter((line) => line.totalCents > 0)
    .map(({ index, name, description }) => ({ index, name, verdict: lineVerdict(`${name} ${description ?? ''}`) }))
  const ofTexts = texts.map((text) => (text ? textVerdict(text) : null))
  const linesOf = (verdict: Verdict) =>
    ofLines.filter((line) => line.verdict === verdict).map(({ index, name }) => ({ index, name }))
  const blocked = linesOf('blocks')
  const problems: SurchargeProblem[] = []
  if (blocked.length > 0)
    problems.push({ code: 'CARD_SURCHARGE', message: surchargeSentence, blocks: true, lines: blocked })
  else if (ofTexts.includes('blocks'))
    problems.push({ code: 'CARD_SURCHARGE_TEXT', message: surchargeSentence, blocks: true, lines: [] })
  for (const [verdict, code, message] of hints) {
    const about = linesOf(verdict)
    if (about.length > 0 || ofTexts.includes(verdict)) problems.push({ code, message, blocks: false, lines: about })
  }
  return problems
}
