/** Words that may stand within a sentence, as the beginning of one. */
export const sentenceCase = (text: string): string => text.replace(/^\p{Ll}/u, (first) => first.toLocaleUpperCase())
