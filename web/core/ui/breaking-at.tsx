import { Fragment } from 'react'

/** Email addresses, which break behind their @ where they have no room, not within a word. */
export const breakingAt = (addresses: string) =>
  addresses.split(/(?<=@)/).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the place in the text is the part's name
    <Fragment key={index}>
      {index > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ))
