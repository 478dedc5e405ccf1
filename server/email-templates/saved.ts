import { type FieldError, refuseFields } from '../../contract/core/errors.ts'
import type { Language } from '../../contract/core/languages.ts'
import { type TemplateLanguages, type TemplateTexts, writtenLanguages } from '../../contract/email-templates.ts'
import type { MessageCategory } from '../../contract/messages.ts'
import { offerQuestion, readsLikeOffer } from '../../contract/offer-words.ts'
import { cleanBody } from '../core/html/body.ts'
import { textOfBody } from '../core/html/text.ts'

const unsubscribe = /\{\{-?\s*unsubscribe_link\s*-?\}\}/
const needsLink = 'Offers need a link that ends them. Insert {{ unsubscribe_link }}.'
const required = 'This field is required.'

interface Saving {
  category: MessageCategory
  isFactsOnly: boolean
}

/** The words of a version as they are kept; refuses what no version may say. */
export function savedLanguages(
  said: { [L in Language]?: TemplateTexts | undefined },
  { category, isFactsOnly }: Saving,
): TemplateLanguages {
  const wrong: FieldError[] = []
  const kept = writtenLanguages(said).flatMap((language): [Language, TemplateTexts][] => {
    const texts = said[language]
    if (!texts) return []
    const bodyHtml = cleanBody(texts.bodyHtml)
    const path = `languages.${language}.bodyHtml`
    const words = [texts.subject, texts.preheader, texts.button, textOfBody(bodyHtml)].join('\n')
    if (textOfBody(bodyHtml) === '') wrong.push({ path, message: required })
    else if (category === 'commercial' && !unsubscribe.test(bodyHtml)) wrong.push({ path, message: needsLink })
    else if (category === 'transactional' && !isFactsOnly && readsLikeOffer(words))
      wrong.push({ path, message: offerQuestion })
    return [[language, { ...texts, bodyHtml }]]
  })
  refuseFields(wrong)
  return Object.fromEntries(kept) as TemplateLanguages
}
