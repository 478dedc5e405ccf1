import { type FieldError, invalid, refuseFields } from '../../contract/core/errors.ts'
import type { Line } from '../../contract/lines.ts'
import { isChoice } from '../documents/lines.service.ts'

/** The lines with the choice made, each with those below it: options as one likes, of alternatives exactly one each. */
export function choose<
  L extends Pick<Line, 'guid' | 'parentLineGuid' | 'isOptional' | 'alternativeGroup' | 'isSelected'>,
>(lines: readonly L[], selected: readonly string[] | undefined): L[] {
  if (selected === undefined) return [...lines]
  const choices = new Set(lines.filter((l) => isChoice(l) && l.parentLineGuid === null).map((l) => l.guid))
  const fields = selected.flatMap((guid, i): FieldError[] =>
    choices.has(guid) ? [] : [{ path: `selectedLineGuids.${i}`, message: 'Choose an optional or alternative line.' }],
  )
  refuseFields(fields)
  const chosen = lines.map((l) =>
    isChoice(l) ? { ...l, isSelected: selected.includes(l.parentLineGuid ?? l.guid) } : l,
  )
  const groups = Map.groupBy(
    chosen.filter((l) => l.alternativeGroup !== null && l.parentLineGuid === null),
    (l) => l.alternativeGroup,
  )
  for (const [group, members] of groups)
    if (members.filter((l) => l.isSelected).length !== 1)
      throw invalid('selectedLineGuids', `Choose one option in “${group}”.`)
  return chosen
}

/** Of alternatives one is proposed: the first of those left, where the one that was is gone. */
export function withOneOfEach<
  L extends Pick<Line, 'guid' | 'parentLineGuid' | 'isOptional' | 'alternativeGroup' | 'isSelected'>,
>(lines: readonly L[]): L[] {
  const groups = Map.groupBy(
    lines.filter((l) => l.alternativeGroup !== null && l.parentLineGuid === null),
    (l) => l.alternativeGroup,
  )
  const proposed = new Set(
    [...groups.values()].flatMap(([first, ...others]) =>
      first && ![first, ...others].some((l) => l.isSelected) ? [first.guid] : [],
    ),
  )
  return lines.map((l) => (proposed.has(l.parentLineGuid ?? l.guid) ? { ...l, isSelected: true } : l))
}
