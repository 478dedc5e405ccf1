import { authApi } from '../../contract/auth.ts'
import type { Op } from '../../contract/core/op.ts'
import { rolesApi } from '../../contract/roles.ts'
import { usersApi } from '../../contract/users.ts'
import { places } from '../../contract/places.ts'
import { useUser } from '../core/api/auth-state.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { ExplanationView } from './explanation.tsx'
import { QuestionForm } from './question-form.tsx'
import { recordFacts, useQuestion, type Question } from './question.ts'
import { RightsTable } from './rights-table.tsx'
import { RoleRights } from './role-rights.tsx'
import type { Verdict } from './verdicts.ts'
import './access.css'

/** What may I do, and why; for administrators also: what may anybody do. */
export function Page() {
  const t = useT('access', 'common')
  const [question, change] = useQuestion()
  const isAdministrator = useCan(rolesApi.explain)
  const all = useRead(authApi.mayAll, {})
  const asked = { ...question, who: isAdministrator ? question.who : 'me' } as const
  return (
    <>
      <PageHeader
        title={t('access:title')}
        subtitle={t(isAdministrator ? 'access:subtitleAdmin' : 'access:subtitle')}
      />
      <div className="access-layout">
        <Loaded of={all}>
          {({ items }) => (
            <QuestionForm question={asked} change={change} rights={items} isAdministrator={isAdministrator} />
          )}
        </Loaded>
        <Answer question={asked} />
        <Rights question={asked} own={all.data?.items ?? null} />
      </div>
    </>
  )
}

function Answer({ question }: { question: Question }) {
  const t = useT('access')
  const mayEditRoles = useCan(rolesApi.update)
  const { who, guid, action, subject } = question
  const isMe = who === 'me'
  const isAsked = action !== null && subject !== null && (isMe || who === 'guest' || guid !== null)
  const about =
    who === 'user' ? { userGuid: guid ?? '' } : who === 'role' ? { roleGuid: guid ?? '' } : { guest: 'true' as const }
  const input = { action: action ?? 'read', subject: subject ?? '', ...recordFacts(question), ...(isMe ? {} : about) }
  const read = useRead<Op & typeof rolesApi.explain>(
    (isMe ? authApi.explain : rolesApi.explain) as typeof rolesApi.explain,
    input,
    { enabled: isAsked, keep: true },
  )
  return (
    <Card title={t('access:answerTitle')}>
      {isAsked ? (
        <Loaded of={read}>
          {({ explanation }) => <ExplanationView explanation={explanation} mayEditRoles={mayEditRoles} />}
        </Loaded>
      ) : (
        <p className="muted no-margin">{t('access:ask.first')}</p>
      )}
    </Card>
  )
}

const whyLink =
  ({ who, guid }: Question) =>
  (action: string, subject: string) => {
    const asked = { ...(who === 'me' ? {} : { who }), ...(guid ? { guid } : {}), action, subject }
    return `${places.accessControl}?${new URLSearchParams(asked).toString()}`
  }

/** Every right there is, and whether the one who is asked about has it. */
function Rights({ question, own }: { question: Question; own: readonly Verdict[] | null }) {
  const t = useT('access')
  const me = useUser()
  if (question.who === 'me') {
    if (!own) return null
    return (
      <Card title={t('access:mine')}>
        <p className="muted rights-intro">{t('access:mineText', { role: me?.roleName ?? '' })}</p>
        <RightsTable verdicts={own} label={t('access:mine')} why={whyLink(question)} />
      </Card>
    )
  }
  return <RightsOfOthers question={question} />
}

function RightsOfOthers({ question }: { question: Question }) {
  const t = useT('access')
  const { who, guid } = question
  const user = useRead(usersApi.get, { guid: guid ?? '' }, { enabled: who === 'user' && guid !== null })
  const guests = useRead(rolesApi.list, { kind: 'guest', size: 2 }, { enabled: who === 'guest' })
  const roleGuid =
    who === 'user' ? (user.data?.user.roleGuid ?? null) : who === 'role' ? guid : (guests.data?.items[0]?.guid ?? null)
  const role = useRead(rolesApi.get, { guid: roleGuid ?? '' }, { enabled: roleGuid !== null })
  if (!roleGuid) return null
  const name = who === 'user' ? user.data?.user.name : role.data?.role.name
  return (
    <Card title={name ? t('access:rightsOf', { name }) : t('access:theirs')}>
      <RoleRights roleGuid={roleGuid} why={whyLink(question)} />
    </Card>
  )
}
