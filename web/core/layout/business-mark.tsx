import type { CSSProperties } from 'react'

/** A dot in the colour of a business; of several in all of theirs. */
export function BusinessMark({ colours }: { colours: readonly string[] }) {
  const share = 360 / colours.length
  const parts = colours.map((colour, i) => `${colour} ${i * share}deg ${(i + 1) * share}deg`)
  const style: CSSProperties = { background: colours.length > 1 ? `conic-gradient(${parts.join(', ')})` : colours[0] }
  return <span className="business-mark" style={style} aria-hidden="true" />
}
