import { Switch } from '@mantine/core'
import { useController, useWatch, type Control, type UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import {
  emailAccountInput,
  emailAccountsApi,
  emailProviders,
  type EmailAccount,
  type EmailAccountInput,
} from '../../contract/email-accounts.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { NumberField, SelectField, TextField } from '../core/ui/fields.tsx'
import { SwitchField } from '../core/ui/switch-field.tsx'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { PlainField } from '../record/plain-field.tsx'
import { useSaving } from '../record/saving.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import {
  type AccountValues,
  emailAccountFields,
  newMailbox,
  securities,
  securityText,
  serversOf,
  valuesOfAccount,
} from './account-fields.ts'
import { keptPassword } from './kept-password.ts'
import './email-accounts.css'

/** In the form a password may stay empty: then it stays as it is, or the server asks for it. */
const formSchema = emailAccountInput.extend({
  auth: z.union([
    z.strictObject({ kind: z.literal('password'), password: z.string().max(500).optional() }),
    z.strictObject({ kind: z.literal('oauth2'), provider: z.enum(emailProviders) }),
  ]),
})
type Sent = z.output<typeof formSchema>
type Form = UseFormReturn<AccountValues, unknown, Sent>

const withoutEmpty = <I extends { auth?: Sent['auth'] | undefined }>(input: I): I =>
  input.auth?.kind === 'password' && !input.auth.password ? { ...input, auth: { kind: 'password' } } : input

/** An email account, new or changed, over the list. */
export function AccountDialog({ account, onClose }: { account: EmailAccount | null; onClose: () => void }) {
  return account ? <Edit account={account} onClose={onClose} /> : <Add onClose={onClose} />
}

function Add({ onClose }: { onClose: () => void }) {
  const t = useT('emails', 'record')
  const form = useSchemaForm<AccountValues, Sent>(formSchema, valuesOfAccount())
  const create = useWrite(emailAccountsApi.create)
  return (
    <FormDialog
      form={form}
      title={t('emails:add')}
      action={t('emails:create')}
      onSave={async (input) => {
        const { account } = await create.mutateAsync(withoutEmpty(input))
        toast.success(t('emails:made', { name: account.fromAddress }))
      }}
      onClose={onClose}
    >
      <AccountForm form={form} />
    </FormDialog>
  )
}

function Edit({ account, onClose }: { account: EmailAccount; onClose: () => void }) {
  const t = useT('emails', 'record')
  const update = useWrite(emailAccountsApi.update)
  const { base, round, save, dialog } = useSaving<EmailAccountInput, EmailAccount>({
    first: account,
    noun: 'account',
    fields: emailAccountFields,
    send: async (version, changes) => (await update.mutateAsync({ guid: account.guid, version, ...changes })).account,
  })
  return (
    <>
      <EditForm
        key={round}
        account={base}
        save={async (changes) => {
          const saved = await save(withoutEmpty(changes))
          toast.success(t('emails:saved', { name: saved.fromAddress }))
        }}
        onClose={onClose}
      />
      {dialog}
    </>
  )
}

function EditForm({
  account,
  save,
  onClose,
}: {
  account: EmailAccount
  save: (changes: Partial<Sent>) => Promise<void>
  onClose: () => void
}) {
  const t = useT('emails', 'record')
  const form = useSchemaForm<AccountValues, Sent>(formSchema, valuesOfAccount(account))
  return (
    <FormDialog
      form={form}
      title={t('emails:edit', { name: account.fromAddress })}
      action={t('emails:save')}
      isStaleAsked
      onSave={(_input, changes) => save(changes)}
      onClose={onClose}
    >
      <AccountForm form={form} account={account} />
    </FormDialog>
  )
}

function AccountForm({ form, account }: { form: Form; account?: EmailAccount }) {
  const t = useT('emails')
  const { control } = form
  const field = { of: emailAccountFields, control }
  return (
    <>
      <div className="grid-2 form-grid">
        <PlainField {...field} name="purpose" autoFocus />
        <PlainField {...field} name="fromName" />
        <PlainField {...field} name="fromAddress" />
        <LoginField form={form} />
      </div>
      <Password control={control} account={account} />
      <Server control={control} at="smtp" title={t('emails:field.smtp')} />
      <Mailbox form={form} />
      <div className="grid-2 form-grid">
        <PlainField {...field} name="dailyCap" />
        <PlainField {...field} name="perMinuteCap" />
        <PlainField {...field} name="failoverOrder" />
      </div>
    </>
  )
}

const logins = ['password', ...emailProviders] as const
type Login = (typeof logins)[number]

/** A password, or a login by a provider: that brings its servers along. */
function LoginField({ form }: { form: Form }) {
  const t = useT('emails')
  const { field } = useController({ control: form.control, name: 'auth' })
  const value = field.value.kind === 'password' ? 'password' : field.value.provider
  const choose = (login: Login) => {
    if (login === 'password') return field.onChange({ kind: 'password', password: '' })
    field.onChange({ kind: 'oauth2', provider: login })
    const { smtp, imap } = serversOf[login](form.getValues('smtp.username') || form.getValues('fromAddress'))
    form.setValue('smtp', smtp, { shouldDirty: true })
    form.setValue('imap', imap, { shouldDirty: true })
  }
  return (
    <ChoiceInput
      label={t('emails:field.auth')}
      data={logins.map((login) => ({ value: login, label: t(`emails:login.${login}`) }))}
      value={value}
      onChange={(login) => (login ? choose(login as Login) : undefined)}
      onBlur={field.onBlur}
    />
  )
}

function Password({
  control,
  account,
}: {
  control: Control<AccountValues, unknown, Sent>
  account: EmailAccount | undefined
}) {
  const t = useT('emails')
  const [auth, smtp, imap] = useWatch({ control, name: ['auth', 'smtp', 'imap'] })
  const kept = keptPassword(account, { smtp, imap })
  if (auth.kind === 'oauth2') return <p className="muted small no-margin">{t('emails:connectAfter')}</p>
  return (
    <TextField
      control={control}
      name="auth.password"
      type="password"
      autoComplete="new-password"
      maxLength={500}
      label={t('emails:field.password')}
      description={kept ? t(kept === 'kept' ? 'emails:field.passwordKept' : 'emails:field.passwordAgain') : undefined}
    />
  )
}

function Server({
  control,
  at,
  title,
}: {
  control: Control<AccountValues, unknown, Sent>
  at: 'smtp' | 'imap'
  title: string
}) {
  const t = useT('emails')
  return (
    <fieldset className="plain-fieldset stack">
      <legend className="strong">{title}</legend>
      <div className="server-fields">
        <TextField control={control} name={`${at}.host`} label={t('emails:field.host')} isRequired maxLength={253} />
        <NumberField control={control} name={`${at}.port`} label={t('emails:field.port')} isRequired maxDigits={5} />
        <TextField
          control={control}
          name={`${at}.username`}
          label={t('emails:field.username')}
          isRequired={at === 'imap'}
          maxLength={254}
        />
        <SelectField
          control={control}
          name={`${at}.security`}
          label={t('emails:field.security')}
          options={securities.map((value) => ({ value, label: securityText(value) }))}
        />
      </div>
    </fieldset>
  )
}

/** Where replies are read, for who wants that. */
function Mailbox({ form }: { form: Form }) {
  const t = useT('emails')
  const { control } = form
  const imap = useWatch({ control, name: 'imap' })
  return (
    <>
      <Switch
        label={t('emails:field.readsReplies')}
        checked={imap !== null}
        onChange={(event) =>
          form.setValue('imap', event.currentTarget.checked ? newMailbox(form.getValues('smtp.username')) : null, {
            shouldDirty: true,
          })
        }
      />
      {imap === null ? null : (
        <>
          <Server control={control} at="imap" title={t('emails:field.imap')} />
          <PlainField of={emailAccountFields} control={control} name="sentFolder" />
          <SwitchField
            control={control}
            name="plusAddressing"
            label={t('emails:field.plusAddressing')}
            description={t('emails:field.plusAddressingHint')}
          />
        </>
      )}
    </>
  )
}
