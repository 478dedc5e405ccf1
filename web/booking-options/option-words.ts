import { phraseOr } from '../core/i18n/i18n.ts'

export const inputText = (input: string) => phraseOr(`options:inputs.${input}`, input)
export const answererText = (by: string) => phraseOr(`options:answerers.${by}`, by)
export const perText = (per: string) => phraseOr(`options:pers.${per}`, per)
/** `Night set-up` as `night-set-up`. */
export const codeOf = (label: string): string =>
  label
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')
