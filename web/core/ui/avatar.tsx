/** Up to two initials of a name: letters and figures alone, whatever else stands in it. */
function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const first = words[0] ?? ''
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  const initials = [...first].slice(0, last ? 1 : 2).join('') + [...last].slice(0, 1).join('')
  return initials.toLocaleUpperCase()
}

/** Initials in a circle; decoration beside the written name. */
export function Avatar({ name, isFilled = false, size = 36 }: { name: string; isFilled?: boolean; size?: number }) {
  // The letters are drawn by the style sheet: they are no part of the name of a button around them.
  return (
    <span
      className={`avatar ${isFilled ? 'filled' : ''}`}
      style={{ inlineSize: size, blockSize: size, fontSize: size * 0.36 }}
      data-initials={initialsOf(name)}
      aria-hidden="true"
    />
  )
}
