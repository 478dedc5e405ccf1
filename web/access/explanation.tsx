import type { Explanation } from '../../contract/explain.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { rightText, ruleText, subjectText } from './words.ts'
import './access.css'

type Step = Explanation['steps'][number]

function StepLine({ step, place }: { step: Step; place: number }) {
  const t = useT('access', 'common')
  const f = useFormat()
  const { rule } = step
  return (
    <li className="explain-step" data-matched={step.matched} data-decides={step.decides}>
      <span className="explain-place" aria-hidden="true">
        {f.number(place)}
      </span>
      <div className="explain-text">
        <span className="row explain-head">
          <StatusChip
            status={step.effect}
            tone={step.effect === 'deny' ? 'error' : 'success'}
            label={t(`access:effect.${step.effect}`)}
          />
          <span className="strong">{ruleText({ ...rule, inverted: step.effect === 'deny' }, t, f)}</span>
        </span>
        <span>{t(`access:reasons.${step.reason}`)}</span>
        <span className="muted small">
          {[
            step.source === 'everyone' ? t('access:source.everyone') : t('access:source.role'),
            t('access:rule.priority', { priority: f.number(rule.priority) }),
            rule.note,
          ]
            .filter(Boolean)
            .join(' · ')}{' '}
          <code>{`${rule.action} ${rule.subject}`}</code>
        </span>
      </div>
      {step.decides ? <StatusChip status="decides" tone="primary" label={t('access:decides')} /> : null}
    </li>
  )
}

function verdictKey({ allowed, access }: Explanation) {
  if (!allowed) return 'no' as const
  return access === 'some' ? ('some' as const) : ('yes' as const)
}

/** Yes or no in a sentence, then every rule that was weighed, the weakest first, and the one that decided. */
export function ExplanationView({ explanation, mayEditRoles }: { explanation: Explanation; mayEditRoles: boolean }) {
  const t = useT('access', 'common')
  const f = useFormat()
  const { who, steps } = explanation
  const decider = steps.find((step) => step.decides)
  const verdict = verdictKey(explanation)
  const right = rightText(explanation.action, explanation.subject)
  const name =
    who.kind === 'guest' ? t('access:who.guests') : who.kind === 'visitor' ? t('access:who.visitors') : who.name
  return (
    <div className="stack">
      <div className="explain-verdict" data-verdict={verdict} role="status">
        <span className="explain-mark">
          <Icon name={verdict === 'no' ? 'stop' : 'success'} size={28} />
        </span>
        <div>
          <p className="explain-answer">{t(`access:answer.${verdict}`, { name, right })}</p>
          <p className="no-margin">
            {decider
              ? t(decider.effect === 'deny' ? 'access:because.deny' : 'access:because.allow', {
                  rule: ruleText({ ...decider.rule, inverted: decider.effect === 'deny' }, t, f),
                })
              : t('access:because.nothing')}
          </p>
        </div>
      </div>
      <p className="muted no-margin">
        {who.roleName && who.kind !== 'role' ? t('access:roleIs', { role: who.roleName }) : null}{' '}
        {explanation.isSuper ? t('access:isSuper') : null}{' '}
        {explanation.parent === explanation.subject
          ? null
          : t('access:parent', { subject: subjectText(explanation.subject), parent: subjectText(explanation.parent) })}
        {who.roleGuid && mayEditRoles ? (
          <>
            {' '}
            <AppLink to={`${pathTo('Roles', who.roleGuid)}?filter=${encodeURIComponent(explanation.subject)}`}>
              {t('access:openRole')}
            </AppLink>
          </>
        ) : null}
      </p>
      <div>
        <h3 className="explain-title">{t('access:steps')}</h3>
        <p className="muted small no-margin">{t('access:stepsHint')}</p>
      </div>
      {steps.length ? (
        <ol className="explain-steps">
          {steps.map((step, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the place is what tells two equal rules apart
            <StepLine key={index} step={step} place={index + 1} />
          ))}
        </ol>
      ) : (
        <p className="muted no-margin">{t('access:noSteps')}</p>
      )}
      {explanation.others > 0 ? (
        <p className="muted small no-margin">{t('access:others', { count: explanation.others })}</p>
      ) : null}
    </div>
  )
}
