import { type Address, states } from './core/address.ts'

type State = Address['state']

const stateNames: Readonly<Record<string, State>> = {
  australiancapitalterritory: 'ACT',
  newsouthwales: 'NSW',
  northernterritory: 'NT',
  queensland: 'QLD',
  southaustralia: 'SA',
  tasmania: 'TAS',
  victoria: 'VIC',
  westernaustralia: 'WA',
}

/** `Vic.`, `N.S.W.` and `New South Wales` as the state they name; null where it is none. */
export function stateOf(text: string): State | null {
  const letters = text.toLowerCase().replace(/[^a-z]/g, '')
  return stateNames[letters] ?? states.find((state) => state.toLowerCase() === letters) ?? null
}

/** Postcodes that lie in more than one state. */
const shared = new Set([872, 2540, 2611, 2618, 2620, 3500, 3585, 3586, 3644, 3691, 3707, 4375, 4377, 4380, 4383, 4385])
const stateRanges: readonly (readonly [from: number, to: number, state: State])[] = [
  [200, 299, 'ACT'],
  [800, 999, 'NT'],
  [1000, 2599, 'NSW'],
  [2600, 2618, 'ACT'],
  [2619, 2899, 'NSW'],
  [2900, 2920, 'ACT'],
  [2921, 2999, 'NSW'],
  [3000, 3999, 'VIC'],
  [4000, 4999, 'QLD'],
  [5000, 5999, 'SA'],
  [6000, 6999, 'WA'],
  [7000, 7999, 'TAS'],
  [8000, 8999, 'VIC'],
  [9000, 9999, 'QLD'],
]

/** The state a postcode lies in; null where it may be more than one. */
export function stateOfPostcode(postcode: string): State | null {
  const number = /^\d{4}$/.test(postcode) ? Number(postcode) : 0
  if (shared.has(number)) return null
  return stateRanges.find(([from, to]) => number >= from && number <= to)?.[2] ?? null
}

/** Australia Post's usual words for roads, with their abbreviations: a suburb begins behind the last of them. */
const roads = new Set(
  `st street rd road ave av avenue dr drive drv ct court pl place cres cr crescent hwy highway pde parade tce terrace
  ln lane cl close way blvd boulevard boulevarde cct circuit gr grove esp esplanade sq square rise walk track mews loop
  row quay promenade`.split(/\s+/),
)

/** What a text ends with, taken off it: longer names of states before shorter ones. */
const abbreviations = states.map((state) => state.split('').join(String.raw`\.?`)).join('|')
const statePattern = new RegExp(
  String.raw`[\s,]+(australian capital territory|new south wales|northern territory|queensland|south australia` +
    String.raw`|tasmania|victoria|western australia|${abbreviations})\.?$`,
  'i',
)

interface Ending {
  rest: string
  state: State
  postcode: string
}

const takeState = (text: string): { rest: string; state: State } | null => {
  const found = statePattern.exec(text)
  const state = found?.[1] === undefined ? null : stateOf(found[1])
  return found && state ? { rest: text.slice(0, found.index), state } : null
}
const takePostcode = (text: string): { rest: string; postcode: string } | null => {
  const found = /[\s,]+(\d{4})$/.exec(text)
  return found?.[1] === undefined ? null : { rest: text.slice(0, found.index), postcode: found[1] }
}

const numbered = /(?:^|[\s,])(?:box|bag|unit|lot|shop|level|suite|no|number|road|rd|street|st)\.?$/i

/** State and postcode, in either order; a postcode alone tells its state. */
function endingOf(text: string): Ending | null {
  const last = takePostcode(text)
  if (last) {
    const before = takeState(last.rest)
    if (before) return { ...before, postcode: last.postcode }
    // A number behind a box or a unit is no postcode.
    const state = numbered.test(last.rest) ? null : stateOfPostcode(last.postcode)
    return state && { rest: last.rest, state, postcode: last.postcode }
  }
  const state = takeState(text)
  const before = state && takePostcode(state.rest)
  return before && state ? { rest: before.rest, state: state.state, postcode: before.postcode } : null
}

/** Whether an address in one field says its state itself. */
export const namesState = (given: string): boolean => {
  const text = ended(given)
  return takeState(text) !== null || takeState(takePostcode(text)?.rest ?? '') !== null
}

const tidy = (text: string) => text.replace(/\s+/g, ' ').replace(/^[\s,]+|[\s,]+$/g, '')

/** Without its country. */
const ended = (given: string) =>
  tidy(given.replace(/[\n\t;|]+/g, ', ').replace(/[\s,]+(australia|aus|au)\.?[\s,]*$/i, ''))

/** Street and suburb where no comma stands between them. */
function splitAtRoad(text: string): [string, string] | null {
  const words = text.split(' ')
  const at = words.findLastIndex((word) => roads.has(word.toLowerCase().replace(/\.$/, '')))
  if (at < 1 || at === words.length - 1) return null
  return [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')]
}

/**
 * An Australian address in one field, read from its end: country, postcode and state, suburb, and what is left is the
 * street. Null where a part cannot be told.
 */
export function readOneLineAddress(given: string): Address | null {
  const text = ended(given)
  const ending = endingOf(text)
  if (!ending) return null
  const parts = ending.rest
    .split(',')
    .map(tidy)
    .filter((part) => part !== '')
  const last = parts.at(-1)
  if (last === undefined) return null
  const [line1, line2, suburb] =
    parts.length > 1 ? [parts[0] ?? '', parts.slice(1, -1).join(', '), last] : withoutCommas(last)
  if (line1 === '' || suburb === '') return null
  return { line1, ...(line2 ? { line2 } : {}), suburb, state: ending.state, postcode: ending.postcode }
}

function withoutCommas(text: string): [string, string, string] {
  const [street, suburb] = splitAtRoad(text) ?? ['', '']
  return [street, '', suburb]
}
