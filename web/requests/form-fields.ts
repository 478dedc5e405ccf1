import { requestFormInput, type RequestFormInput } from '../../contract/requests.ts'
import type { Fields } from '../record/record-facts.tsx'

interface Reference {
  guid: string
  label: string
}
/** The name of what is referred to, where the record as it was read knows it. */
const nameOf = (guid: string | null, reference: unknown) => {
  const known = reference as Reference | null | undefined
  return guid && known?.guid === guid ? known.label : guid && '…'
}
const inAll = (words: { en: string; fr?: string | null | undefined; ar?: string | null | undefined } | null) =>
  words ? [words.en, words.fr, words.ar].filter(Boolean).join(' · ') : null

/** What is known of a request form, in the order of its dialog. */
export const requestFormFields: Fields<RequestFormInput> = {
  schema: requestFormInput,
  rows: {
    name: { label: 'requests:forms.name' },
    slug: { label: 'requests:forms.slug', hint: 'requests:forms.slugHint' },
    jobTypeGuid: { label: 'requests:forms.jobType', show: (guid, _say, whole) => nameOf(guid, whole['jobType']) },
    notifyGuid: { label: 'requests:forms.owner', show: (guid, _say, whole) => nameOf(guid, whole['owner']) },
    optionGuids: {
      label: 'requests:forms.questions',
      show: (guids, { t, f }) => (guids ? f.number(guids.length) : t('requests:forms.allQuestions')),
    },
    heading: { label: 'requests:forms.heading', show: inAll },
    intro: { label: 'requests:forms.intro', show: inAll },
    thanks: { label: 'requests:forms.thanks', show: inAll },
    isActive: { label: 'requests:forms.active', hint: 'requests:forms.activeHint' },
  },
}
