import type { z } from 'zod'
import { authApi } from '../../contract/auth.ts'
import { usersApi } from '../../contract/users.ts'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { SaveButton } from '../core/ui/save-button.tsx'
import { FormCard } from '../core/ui/form-card.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { Card } from '../core/ui/card.tsx'
import { useFollow } from '../record/follow.ts'
import { formValues, type FormValues } from '../record/form-values.ts'
import type { Fields } from '../record/record-facts.tsx'
import { RecordField } from '../record/record-fields.tsx'
import { saveChanges } from '../record/record-form.tsx'
import { useSaving } from '../record/saving.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { Portrait } from '../people/portrait.tsx'
import { useOwnAccount, useOwnUpdate, type OwnUser } from './own-account.ts'
import { PictureField } from '../people/picture-field.tsx'

const own = authApi.updateAccount.body.omit({ version: true, preferences: true }).required()
type Sent = z.output<typeof own>

type Values = FormValues<Sent>

const ownFields: Fields<Sent> = {
  schema: own,
  rows: {
    firstName: { label: 'people:firstName' },
    lastName: { label: 'people:lastName' },
    email: { label: 'people:email', hint: 'account:details.emailHint' },
    phone: { label: 'people:phone' },
  },
}

/** Picture, name, and how to be reached. */
export function AccountTab() {
  const read = useOwnAccount()
  return (
    <Loaded of={read}>
      {({ user }) => (
        <div className="stack cards">
          <PictureCard user={user} />
          <Details user={user} />
        </div>
      )}
    </Loaded>
  )
}

function PictureCard({ user }: { user: OwnUser }) {
  const t = useT('account')
  const set = useWrite(authApi.setAvatar, { onSuccess: () => toast.success(t('account:picture.saved')) })
  return (
    <Card title={t('account:picture.title')}>
      <div className="row picture-row">
        <Portrait name={user.name} picture={user.avatar} size={88} />
        <div>
          <PictureField hasPicture={user.avatar !== null} save={(avatar) => set.mutateAsync({ avatar })} />
          <p className="muted small no-margin">{t('account:picture.hint')}</p>
        </div>
      </div>
    </Card>
  )
}

function Details({ user }: { user: OwnUser }) {
  const t = useT('account')
  const update = useOwnUpdate({ onSuccess: () => toast.success(t('account:saved')) })
  const { base, round, restart, save, dialog } = useSaving<Sent, OwnUser>({
    first: user,
    noun: 'user',
    fields: ownFields,
    send: async (version, changes) => (await update.mutateAsync({ version, ...changes })).user,
  })
  return (
    <>
      <DetailsForm
        key={round}
        user={base}
        newest={user}
        onNewer={restart}
        save={async (changes) => restart(await save(changes))}
      />
      {dialog}
    </>
  )
}

interface DetailsFormProps {
  user: OwnUser
  newest: OwnUser
  onNewer: (user: OwnUser) => void
  save: (changes: Partial<Sent>) => Promise<void>
}

function DetailsForm({ user, newest, onNewer, save }: DetailsFormProps) {
  const t = useT('account', 'people', 'record')
  const mayChangeUsers = useCan(usersApi.update)
  const form = useSchemaForm<Values, Sent>(own, formValues(own, user))
  const submit = form.handleSubmit((input) => saveChanges(form, input, save))
  const { control, formState } = form
  useFollow(newest, user, formState.isDirty, onNewer)
  return (
    <FormCard
      control={control}
      onSubmit={submit}
      title={t('account:details.title')}
      actions={<SaveButton control={control}>{t('account:save')}</SaveButton>}
    >
      <div className="grid-2 form-grid">
        <RecordField of={ownFields} control={control} name="firstName" autoComplete="given-name" />
        <RecordField of={ownFields} control={control} name="lastName" autoComplete="family-name" />
        <RecordField of={ownFields} control={control} name="email" autoComplete="email" />
        <RecordField of={ownFields} control={control} name="phone" autoComplete="tel" />
      </div>
      <p className="muted no-margin">
        {t('account:details.login', { login: user.authID, role: user.roleName })}
        {mayChangeUsers ? null : ` ${t('account:details.loginAsk')}`}
      </p>
    </FormCard>
  )
}
