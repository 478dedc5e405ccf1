import type { Permission, Role } from '../../contract/roles.ts'
import { ruleText, rightText } from '../access/words.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { StaleDialog, staleRecord } from '../core/ui/stale-dialog.tsx'
import { changedCells, draftsOf, type Draft } from './matrix-state.ts'

type Full = Role & { permissions: Permission[] }

export interface RulesStaleProps {
  error: unknown
  mine: readonly Draft[]
  onKeepMine: (theirs: Full) => void
  onTakeTheirs: (theirs: Full) => void
  onClose: () => void
}

/** Somebody else changed the role meanwhile: both sets of rules, where they differ. */
export function RulesStale({ error, mine, onKeepMine, onTakeTheirs, onClose }: RulesStaleProps) {
  const t = useT('access', 'roles')
  const f = useFormat()
  const theirs = staleRecord<Full>(error, 'role')
  if (!theirs?.permissions) return null
  const drafts = draftsOf(theirs.permissions)
  const words = (rules: readonly Draft[], cell: string) =>
    rules
      .filter((rule) => `${rule.action} ${rule.subject}` === cell)
      .map((rule) => ruleText(rule, t, f))
      .join('; ') || t('roles:cell.state.none')
  const rows = [...changedCells(drafts, mine)].map((cell) => {
    const [action = '', subject = ''] = cell.split(' ')
    return {
      label: rightText(action, subject),
      mine: words(mine, cell),
      theirs: words(drafts, cell),
      isDifferent: true,
    }
  })
  return (
    <StaleDialog
      isOpen
      rows={rows}
      onKeepMine={() => onKeepMine(theirs)}
      onTakeTheirs={() => onTakeTheirs(theirs)}
      onClose={onClose}
    />
  )
}
