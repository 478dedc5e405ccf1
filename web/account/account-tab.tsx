import { useState } from 'react'
import type { z } from 'zod'
import { authApi } from '../../contract/auth.ts'
import { asApiError } from '../core/api/error.ts'
import { applyServerErrors } from '../core/api/forms.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { TextField } from '../core/ui/fields.tsx'
import { FormCard } from '../core/ui/form-card.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { Card } from '../core/ui/card.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { StaleChoice } from '../record/stale-choice.tsx'
import { Portrait } from '../users/person-head.tsx'
import { useOwnAccount, useOwnUpdate, type OwnUser } from './own-account.ts'
import { PictureField } from './picture-field.tsx'

const own = authApi.updateAccount.body.omit({ version: true, preferences: true })
type Sent = z.output<typeof own>

interface Values {
  firstName: string
  lastName: string
  email: string
  phone: string
}

/** Picture, name, and how to be reached. */
export function AccountTab() {
  const read = useOwnAccount()
  return (
    <Loaded of={read}>
      {({ user }) => (
        <div className="stack cards">
          <PictureCard user={user} />
          <Details key={user.version} user={user} />
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
  const t = useT('account', 'people', 'record')
  const [mine, setMine] = useState<Sent | null>(null)
  const form = useSchemaForm<Values, Sent>(own, {
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    phone: user.phone,
  })
  const update = useOwnUpdate({ onSuccess: () => toast.success(t('account:saved')) })
  const submit = form.handleSubmit(async (input) => {
    setMine(input)
    await update.mutateAsync({ version: user.version, ...input }).catch((failure: unknown) => {
      if (asApiError(failure).error !== 'STALE_VERSION') applyServerErrors(failure, form.setError)
    })
  })
  const { control, formState } = form
  return (
    <>
      <FormCard
        control={control}
        onSubmit={submit}
        title={t('account:details.title')}
        actions={
          <ActionButton
            type="submit"
            icon="save"
            loading={update.isPending}
            disabledReason={formState.isDirty ? null : t('people:nothingChanged')}
          >
            {t('account:save')}
          </ActionButton>
        }
      >
        <div className="grid-2 form-grid">
          <TextField
            control={control}
            name="firstName"
            label={t('people:firstName')}
            isRequired
            maxLength={80}
            autoComplete="given-name"
          />
          <TextField
            control={control}
            name="lastName"
            label={t('people:lastName')}
            maxLength={80}
            autoComplete="family-name"
          />
          <TextField
            control={control}
            name="email"
            type="email"
            inputMode="email"
            label={t('people:email')}
            description={t('account:details.emailHint')}
            maxLength={254}
            autoComplete="email"
          />
          <TextField
            control={control}
            name="phone"
            type="tel"
            inputMode="tel"
            label={t('people:phone')}
            maxLength={40}
            autoComplete="tel"
          />
        </div>
        <p className="muted no-margin">{t('account:details.login', { login: user.authID, role: user.roleName })}</p>
      </FormCard>
      <StaleChoice<OwnUser>
        error={update.error}
        noun="user"
        mine={mine as Partial<OwnUser> | null}
        fields={[
          { label: t('people:firstName'), show: (u) => u.firstName ?? '' },
          { label: t('people:lastName'), show: (u) => u.lastName ?? '' },
          { label: t('people:email'), show: (u) => u.email ?? '' },
          { label: t('people:phone'), show: (u) => u.phone ?? '' },
        ]}
        onKeepMine={(theirs) => {
          if (mine) update.mutate({ version: theirs.version, ...mine })
        }}
        onTakeTheirs={(theirs) => {
          form.reset({
            firstName: theirs.firstName,
            lastName: theirs.lastName,
            email: theirs.email,
            phone: theirs.phone,
          })
          update.reset()
        }}
        onClose={() => update.reset()}
      />
    </>
  )
}
