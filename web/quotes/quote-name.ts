/** `Q-1042`, and `Q-1042 R1` for its first revision. */
export const quoteName = (quote: { number: string | null; revision: number }, otherwise: string): string =>
  quote.number ? `${quote.number}${quote.revision ? ` R${quote.revision}` : ''}` : otherwise
