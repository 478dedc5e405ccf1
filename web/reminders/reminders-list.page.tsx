import { type AutomaticEmails, automaticEmailsApi } from '../../contract/automatic-emails.ts'
import { type ReminderPolicy, remindersApi } from '../../contract/reminders.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { localeOf } from '../core/i18n/languages.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { useSaving } from '../record/saving.tsx'
import { AutomaticForm } from './automatic-form.tsx'
import { Holds } from './holds.tsx'
import type { StepTemplate } from './ladder-steps.tsx'
import { type PolicyInput, policyFields, type Switches, switchFields, valuesOf } from './policy-fields.ts'
import { Today } from './today.tsx'
import './reminders.css'

export function Page() {
  const t = useT('reminders', 'record')
  const policy = useRead(remindersApi.policy, {})
  const switches = useRead(automaticEmailsApi.get, {})
  return (
    <>
      <PageHeader title={t('reminders:title')} subtitle={t('reminders:subtitle')} />
      <Loaded of={policy}>
        {(read) => (
          <Loaded of={switches}>
            {({ automatic }) => (
              <div className="stack cards">
                <Today minimumCents={read.policy.minimumCents} />
                <Settings first={read.policy} switches={automatic} templates={read.templates} />
                <Holds />
              </div>
            )}
          </Loaded>
        )}
      </Loaded>
    </>
  )
}

interface SettingsProps {
  first: ReminderPolicy
  switches: AutomaticEmails
  templates: readonly StepTemplate[]
}

/** One form of two records: each is saved where something of it was changed. */
function Settings({ first, switches, templates }: SettingsProps) {
  const t = useT('reminders', 'record')
  const locale = localeOf(useLanguage())
  const mayUpdate = useCan(remindersApi.savePolicy)
  const savePolicy = useWrite(remindersApi.savePolicy)
  const saveSwitches = useWrite(automaticEmailsApi.update)
  const ladder = useSaving<PolicyInput, ReminderPolicy>({
    first,
    noun: 'policy',
    fields: policyFields(locale),
    send: async (version, changes) => (await savePolicy.mutateAsync({ version, ...changes })).policy,
  })
  const others = useSaving<Switches, AutomaticEmails>({
    first: switches,
    noun: 'automatic',
    fields: switchFields,
    send: async (version, changes) => (await saveSwitches.mutateAsync({ version, ...changes })).automatic,
  })
  return (
    <>
      <AutomaticForm
        key={`${ladder.round} ${others.round}`}
        values={valuesOf(ladder.base, others.base)}
        templates={templates}
        isReadOnly={!mayUpdate}
        save={async (_input, { sendsWelcome, sendsFollowUps, ...changes }) => {
          const policy = await ladder.save(changes)
          const automatic = await others.save({
            ...(sendsWelcome === undefined ? {} : { sendsWelcome }),
            ...(sendsFollowUps === undefined ? {} : { sendsFollowUps }),
          })
          toast.success(t('reminders:saved'))
          ladder.restart(policy)
          others.restart(automatic)
        }}
      />
      {ladder.dialog}
      {others.dialog}
    </>
  )
}
