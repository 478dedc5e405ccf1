import type { ReactNode } from 'react'

/** `INV-1042`, `Q-1042 R1`: browsers would break a line after the hyphen. */
const documentNumber = /(?<![\p{L}\d-])(\p{Lu}[\p{Lu}\d]{0,9}-\d+(?:\sR\d+)?)(?![\p{L}\d-])/u

/** Words in which numbers of documents stay in one line; anything but text is given back as it is. */
export function unbroken(content: ReactNode): ReactNode {
  if (typeof content !== 'string') return content
  const parts = content.split(documentNumber)
  if (parts.length === 1) return content
  return parts.map((part, index) =>
    index % 2 ? (
      // oxlint-disable-next-line react/no-array-index-key -- the place in the sentence is the part's name
      <span key={index} className="nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  )
}
