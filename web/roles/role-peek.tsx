import { rolesApi, type Permission } from '../../contract/roles.ts'
import { useRead } from '../core/api/hooks.ts'
import { useFormat, type Format } from '../core/i18n/format.ts'
import { phraseOr, useT, type T } from '../core/i18n/i18n.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'

/** `Quotes:Send:Guid` as `Quotes, Send, one of them`: what people can follow. */
function subjectText(subject: string, t: T): string {
  if (subject === 'all') return t('setup:roles.everything')
  const [noun = '', ...rest] = subject.split(':')
  const parts = rest.map((part) => phraseOr(`setup:roles.parts.${part}`, part)).filter(Boolean)
  return [phraseOr(`setup:roles.nouns.${noun}`, noun), ...parts].join(' › ')
}

function conditionTexts(rule: Permission, t: T, f: Format): string[] {
  const { conditions } = rule
  if (conditions === null || typeof conditions !== 'object') return []
  return [
    conditions.isLoginRequired ? t('setup:roles.conditions.login') : '',
    conditions.guestAuthenticationRequired ? t('setup:roles.conditions.guest') : '',
    conditions.scope && conditions.scope !== 'all' ? phraseOr(`setup:roles.conditions.${conditions.scope}`, conditions.scope) : '',
    conditions.statusIn ? t('setup:roles.conditions.status', { statuses: conditions.statusIn.map((status) => phraseOr(`common:status.${status}`, status)).join(', ') }) : '',
    conditions.amountBelowCents === undefined ? '' : t('setup:roles.conditions.amount', { amount: f.money(conditions.amountBelowCents) }),
    conditions.business ? t('setup:roles.conditions.business') : '',
  ].filter(Boolean)
}

function Rule({ rule }: { rule: Permission }) {
  const t = useT('setup', 'common')
  const f = useFormat()
  const more = [...conditionTexts(rule, t, f), rule.note].filter(Boolean)
  return (
    <li className="rule" data-off={!rule.enabled}>
      <StatusChip status={rule.inverted ? 'denied' : 'allowed'} tone={rule.inverted ? 'error' : 'success'} label={rule.inverted ? t('setup:roles.deny') : t('setup:roles.allow')} />
      <span className="rule-text">
        <span>
          <span className="strong">{phraseOr(`setup:roles.actions.${rule.action}`, rule.action)}</span> {subjectText(rule.subject, t)}
          {rule.enabled ? null : <span className="muted"> · {t('setup:roles.off')}</span>}
        </span>
        {more.length ? <span className="muted small">{more.join(' · ')}</span> : null}
        <code className="small muted">{rule.subject}</code>
      </span>
    </li>
  )
}

/** What a role may do, rule by rule, in words. */
export function RolePeek({ guid }: { guid: string }) {
  const t = useT('setup', 'common')
  const read = useRead(rolesApi.get, { guid })
  return (
    <Loaded of={read}>
      {({ role }) => {
        const rules = role.permissions.toSorted((a, b) => b.priority - a.priority || Number(b.inverted) - Number(a.inverted) || a.subject.localeCompare(b.subject))
        return (
          <div className="stack">
            <p className="no-margin">{role.description}</p>
            {role.isSuper ? <p className="muted no-margin">{t('setup:roles.superText')}</p> : null}
            <ul className="rules" aria-label={t('setup:roles.rules')}>
              {rules.map((rule) => (
                <Rule key={rule.guid} rule={rule} />
              ))}
            </ul>
            <p className="muted small no-margin">{t('setup:roles.hint')}</p>
          </div>
        )
      }}
    </Loaded>
  )
}
