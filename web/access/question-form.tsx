import { SegmentedControl } from '@mantine/core'
import { actions } from '../../contract/explain.ts'
import { rolesApi } from '../../contract/roles.ts'
import { usersApi } from '../../contract/users.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { LookupInput } from '../core/ui/lookup.tsx'
import { SuggestInput } from '../core/ui/suggest-input.tsx'
import { SearchChoice } from '../core/ui/search-choice.tsx'
import { kindsOfWho, type Question } from './question.ts'
import { actionText, isAction, nounText, subjectText, tailText } from './words.ts'
import type { Verdict } from './verdicts.ts'

interface PartProps {
  question: Question
  change: (change: Partial<Question>) => void
}

/** For administrators: about whom is asked. */
function WhoFields({ question, change }: PartProps) {
  const t = useT('access')
  const mayUsers = useCan(usersApi.list)
  const mayRoles = useCan(rolesApi.list)
  const roles = useRead(rolesApi.list, { size: 100, sort: 'name' }, { enabled: mayRoles })
  const user = useRead(
    usersApi.get,
    { guid: question.guid ?? '' },
    { enabled: mayUsers && question.who === 'user' && question.guid !== null },
  )
  const kinds = kindsOfWho.filter((kind) => (kind === 'user' ? mayUsers : kind === 'role' ? mayRoles : true))
  return (
    <>
      <div role="group" aria-label={t('access:ask.who')}>
        <p className="field-label">{t('access:ask.who')}</p>
        <SegmentedControl
          fullWidth
          data={kinds.map((kind) => ({ value: kind, label: t(`access:ask.kinds.${kind}`) }))}
          value={question.who}
          onChange={(who) => change({ who: kinds.find((kind) => kind === who) ?? 'me', guid: null })}
        />
      </div>
      {question.who === 'user' ? (
        <LookupInput
          op={usersApi.list}
          label={t('access:ask.user')}
          value={question.guid}
          onChange={(guid) => change({ guid })}
          option={(item) => ({ value: item.guid, label: item.name || item.authID, hint: item.roleName })}
          chosen={user.data ? { value: user.data.user.guid, label: user.data.user.name } : null}
        />
      ) : null}
      {question.who === 'role' ? (
        <SearchChoice
          label={t('access:ask.role')}
          allowDeselect={false}
          data={(roles.data?.items ?? []).map((role) => ({ value: role.guid, label: role.name }))}
          value={question.guid}
          onChange={(guid) => change({ guid })}
        />
      ) : null}
      {question.who === 'me' || question.who === 'guest' ? (
        <p className="muted small no-margin ask-note">{t(`access:ask.notes.${question.who}`)}</p>
      ) : null}
    </>
  )
}

/** What may be known of one record: then conditions can be decided, too. */
function RecordFields({ question, change }: PartProps) {
  const t = useT('access', 'common')
  const mayCatalogue = useCan(rolesApi.catalogue)
  const catalogue = useRead(rolesApi.catalogue, {}, { enabled: mayCatalogue, staleTime: Number.POSITIVE_INFINITY })
  const statuses = catalogue.data?.items.find((item) => item.subject === question.subject)?.statuses ?? []
  const flags = [
    { value: 'true', label: t('access:ask.yes') },
    { value: 'false', label: t('access:ask.no') },
  ]
  const isKnown =
    question.isOwn !== null || question.isAssigned !== null || question.status !== null || question.amountCents !== null
  return (
    <details className="ask-details" open={isKnown}>
      <summary>{t('access:ask.record')}</summary>
      <div className="ask-record">
        <ChoiceInput
          label={t('access:ask.isOwn')}
          placeholder={t('access:ask.notSaid')}
          data={flags}
          clearable
          value={question.isOwn}
          onChange={(value) => change({ isOwn: value === 'true' || value === 'false' ? value : null })}
        />
        <ChoiceInput
          label={t('access:ask.isAssigned')}
          placeholder={t('access:ask.notSaid')}
          data={flags}
          clearable
          value={question.isAssigned}
          onChange={(value) => change({ isAssigned: value === 'true' || value === 'false' ? value : null })}
        />
        <SuggestInput
          label={t('access:ask.status')}
          placeholder={t('access:ask.notSaid')}
          options={statuses.map((status) => ({ value: status, label: status }))}
          value={question.status ?? ''}
          onChange={(status) => change({ status: status || null })}
          maxLength={60}
        />
        <MoneyInput
          label={t('access:ask.amount')}
          placeholder={t('access:ask.notSaid')}
          value={question.amountCents}
          onChange={(amountCents) => change({ amountCents })}
        />
      </div>
    </details>
  )
}

export interface QuestionFormProps extends PartProps {
  /** Every right there is. */
  rights: readonly Verdict[]
  isAdministrator: boolean
}

/** Who, what, and on which record. */
export function QuestionForm({ question, change, rights, isAdministrator }: QuestionFormProps) {
  const t = useT('access', 'common')
  const subjects = [
    ...new Set([...rights.map(({ subject }) => subject), ...(question.subject ? [question.subject] : [])]),
  ]
  const groups = [...Map.groupBy(subjects, nounText)].map(([group, items]) => ({
    group,
    items: items.map((subject) => ({
      value: subject,
      label: subjectText(subject) + (tailText(subject) ? '' : ` · ${subject}`),
    })),
  }))
  const asked = new Set(rights.filter(({ subject }) => subject === question.subject).map(({ action }) => action))
  return (
    <Card title={t('access:ask.title')}>
      <div className="stack">
        {isAdministrator ? (
          <div className="ask-fields">
            <WhoFields question={question} change={change} />
          </div>
        ) : null}
        <div className="ask-fields">
          <ChoiceInput
            label={t('access:ask.action')}
            placeholder={t('access:ask.choose')}
            data={actions.map((action) => ({ value: action, label: actionText(action) }))}
            value={question.action}
            onChange={(action) => change({ action: isAction(action) ? action : null })}
          />
          <SearchChoice
            label={t('access:ask.subject')}
            placeholder={t('access:ask.choose')}
            allowDeselect={false}
            data={groups}
            value={question.subject}
            onChange={(subject) => {
              const known = rights.filter((right) => right.subject === subject).map(({ action }) => action)
              // A subject is asked for with the actions it has.
              change({
                subject,
                action:
                  question.action && known.includes(question.action) ? question.action : (known[0] ?? question.action),
              })
            }}
          />
        </div>
        {question.subject && question.action && asked.size > 0 && !asked.has(question.action) ? (
          <p className="muted small no-margin">
            {t('access:ask.unusual', { actions: [...asked].map(actionText).join(', ') })}
          </p>
        ) : null}
        <RecordFields key={question.subject ?? ''} question={question} change={change} />
      </div>
    </Card>
  )
}
