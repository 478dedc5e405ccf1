import { Checkbox, Radio } from '@mantine/core'
import type { Line } from '../../contract/lines.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useFormat } from '../core/i18n/format.ts'

type Choosable = Pick<Line, 'guid' | 'name' | 'totalCents' | 'isOptional' | 'alternativeGroup' | 'isSelected'>

export const chosenAtFirst = (lines: readonly Choosable[]): string[] =>
  lines
    .filter((line) => (line.isOptional || line.alternativeGroup !== null) && line.isSelected)
    .map((line) => line.guid)

/** Picks another line of a group; the others of the group go. */
const withAlternative = (lines: readonly Choosable[], chosen: readonly string[], picked: Choosable): string[] => {
  const group = new Set(
    lines.filter((line) => line.alternativeGroup === picked.alternativeGroup).map((line) => line.guid),
  )
  return [...chosen.filter((guid) => !group.has(guid)), picked.guid]
}

/** Options as check boxes, alternatives as radio buttons. */
export function Choices({
  lines,
  chosen,
  onChange,
}: {
  lines: readonly Choosable[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}) {
  const t = useT('lines')
  const f = useFormat()
  const groups = [...new Set(lines.flatMap((line) => (line.alternativeGroup ? [line.alternativeGroup] : [])))]
  const label = (line: Choosable) => `${line.name} · ${f.money(line.totalCents)}`
  return (
    <div className="choice-list">
      {lines
        .filter((line) => line.isOptional && !line.alternativeGroup)
        .map((line) => (
          <Checkbox
            key={line.guid}
            label={label(line)}
            checked={chosen.includes(line.guid)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked ? [...chosen, line.guid] : chosen.filter((guid) => guid !== line.guid),
              )
            }
          />
        ))}
      {groups.map((group) => (
        <Radio.Group
          key={group}
          label={t('lines:alternativeOf', { group })}
          value={lines.find((line) => line.alternativeGroup === group && chosen.includes(line.guid))?.guid ?? ''}
        >
          <div className="choice-list">
            {lines
              .filter((line) => line.alternativeGroup === group)
              .map((line) => (
                <Radio
                  key={line.guid}
                  value={line.guid}
                  label={label(line)}
                  onChange={() => onChange(withAlternative(lines, chosen, line))}
                />
              ))}
          </div>
        </Radio.Group>
      ))}
    </div>
  )
}
