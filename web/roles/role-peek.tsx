import { rolesApi, type Permission, type Role } from '../../contract/roles.ts'
import { actionText, conditionTexts, subjectText } from '../access/words.ts'
import { useRead } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { sentenceCase } from '../core/i18n/sentence-case.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { RecordActions } from '../record/record-actions.tsx'
import { useRoleActions } from './role-actions.tsx'

function Rule({ rule }: { rule: Permission }) {
  const t = useT('roles', 'access')
  const f = useFormat()
  const more = [...conditionTexts(rule.conditions, t, f), rule.note].filter(Boolean)
  return (
    <li className="rule" data-off={!rule.enabled}>
      <StatusChip
        status={rule.inverted ? 'denied' : 'allowed'}
        tone={rule.inverted ? 'error' : 'success'}
        label={t(rule.inverted ? 'access:effect.deny' : 'access:effect.allow')}
      />
      <span className="rule-text">
        <span>
          <span className="strong">{actionText(rule.action)}</span> {subjectText(rule.subject)}
          {rule.enabled ? null : <span className="muted"> · {t('roles:rule.off')}</span>}
        </span>
        {more.length ? <span className="muted small">{sentenceCase(more.join(' · '))}</span> : null}
        <code className="small muted">{rule.subject}</code>
      </span>
    </li>
  )
}

function WholeRole({ role }: { role: Role }) {
  return <RecordActions {...useRoleActions(role)} record={role} />
}

/** What a role may do, rule by rule, in words. */
export function RolePeek({ guid }: { guid: string }) {
  const t = useT('roles', 'access')
  const read = useRead(rolesApi.get, { guid })
  return (
    <Loaded of={read}>
      {({ role }) => {
        const rules = role.permissions.toSorted(
          (a, b) =>
            b.priority - a.priority || Number(b.inverted) - Number(a.inverted) || a.subject.localeCompare(b.subject),
        )
        return (
          <div className="stack">
            <div className="row">
              <WholeRole role={role} />
            </div>
            {role.description ? <p className="no-margin prose">{role.description}</p> : null}
            {role.isSuper ? <p className="muted no-margin">{t('roles:superText')}</p> : null}
            {rules.length ? (
              <ul className="rules" aria-label={t('roles:list.rules')}>
                {rules.map((rule) => (
                  <Rule key={rule.guid} rule={rule} />
                ))}
              </ul>
            ) : (
              <p className="muted no-margin">{t('roles:noRules')}</p>
            )}
            <p className="muted small no-margin">{t('roles:orderHint')}</p>
          </div>
        )
      }}
    </Loaded>
  )
}
