/** Hash targets stop below the sticky navbar. */
const hashOffset = 60

/** Scrolls to what the hash names. */
export function scrollToHash(hash: string) {
  const target = hash ? document.getElementById(hash.replace(/^#/, '')) : null
  if (target) window.scrollTo({ top: target.getBoundingClientRect().top + window.scrollY - hashOffset })
}
