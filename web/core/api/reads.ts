type Reads = { clear: () => void; refresh: () => void }

// Pages before the login read nothing: they do without the cache and its library, which announces itself here.
let known: Reads | null = null

export const announceReads = (reads: Reads) => {
  known = reads
}

/** Nothing of the last session stays. */
export const forgetReads = () => known?.clear()
/** What is on screen is read again. */
export const refreshReads = () => known?.refresh()
