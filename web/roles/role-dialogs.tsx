import { z } from 'zod'
import { rolesApi, type Role } from '../../contract/roles.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { bare } from '../core/i18n/languages.ts'
import { SelectField, SwitchField, TextAreaField, TextField } from '../core/ui/fields.tsx'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { useSchemaForm } from '../record/schema-form.ts'

const details = rolesApi.update.body.omit({ version: true })

interface DetailValues {
  name: string
  description: string
  requiresTwoStep: boolean
}

/** Name, description, and whether members must log in with a second factor. */
export function RoleDetailsDialog({
  role,
  onSaved,
  onClose,
}: {
  role: Role
  onSaved: (role: Role) => void
  onClose: () => void
}) {
  const t = useT('roles', 'record')
  const form = useSchemaForm<DetailValues, z.output<typeof details>>(details, {
    name: role.name,
    description: role.description,
    requiresTwoStep: role.requiresTwoStep,
  })
  const update = useWrite(rolesApi.update)
  const save = async (input: z.output<typeof details>) => {
    const answer = await update.mutateAsync({ guid: role.guid, version: role.version, ...input })
    onSaved(answer.role)
    toast.success(t('roles:saved', { name: answer.role.name }))
  }
  return (
    <FormDialog
      form={form}
      title={t('roles:details.title')}
      action={t('roles:details.save')}
      onSave={save}
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="name"
        label={t('roles:details.name')}
        isRequired
        maxLength={80}
        autoFocus
      />
      <TextAreaField
        control={form.control}
        name="description"
        label={t('roles:details.description')}
        maxLength={400}
        rows={2}
      />
      {role.kind === 'staff' ? (
        <SwitchField
          control={form.control}
          name="requiresTwoStep"
          label={t('roles:details.twoStep')}
          description={t('roles:details.twoStepHint')}
        />
      ) : null}
    </FormDialog>
  )
}

const named = rolesApi.clone.body

/** Another role with the same rules. */
export function CloneRoleDialog({ role, onClose }: { role: Role; onClose: () => void }) {
  const t = useT('roles', 'record')
  const go = useGo()
  const form = useSchemaForm<{ name: string; description: string }, z.output<typeof named>>(named, {
    name: bare(t('roles:clone.nameOf', { name: role.name })).slice(0, 80),
    description: role.description,
  })
  const clone = useWrite(rolesApi.clone)
  const save = async (input: z.output<typeof named>) => {
    const answer = await clone.mutateAsync({ guid: role.guid, ...input })
    toast.success(t('roles:made', { name: answer.role.name }))
    await go(`/setup/roles/edit/${answer.role.guid}`)
  }
  return (
    <FormDialog
      form={form}
      title={t('roles:clone.title', { name: role.name })}
      action={t('roles:clone.save')}
      onSave={save}
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="name"
        label={t('roles:details.name')}
        isRequired
        maxLength={80}
        autoFocus
      />
      <TextAreaField
        control={form.control}
        name="description"
        label={t('roles:details.description')}
        maxLength={400}
        rows={2}
      />
    </FormDialog>
  )
}

const made = named.extend({ from: z.uuid().nullable() })

/** A new role: with no rules, or with those of another. */
export function NewRoleDialog({ onClose }: { onClose: () => void }) {
  const t = useT('roles', 'record')
  const go = useGo()
  const roles = useRead(rolesApi.list, { size: 100, sort: 'name', kind: 'staff' })
  const form = useSchemaForm<{ name: string; description: string; from: string | null }, z.output<typeof made>>(made, {
    name: '',
    description: '',
    from: null,
  })
  const create = useWrite(rolesApi.create)
  const clone = useWrite(rolesApi.clone)
  const save = async ({ from, ...input }: z.output<typeof made>) => {
    const answer = await (from ? clone.mutateAsync({ guid: from, ...input }) : create.mutateAsync(input))
    toast.success(t('roles:made', { name: answer.role.name }))
    await go(`/setup/roles/edit/${answer.role.guid}`)
  }
  return (
    <FormDialog
      form={form}
      title={t('roles:create.title')}
      action={t('roles:create.save')}
      onSave={save}
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="name"
        label={t('roles:details.name')}
        isRequired
        maxLength={80}
        autoFocus
      />
      <TextAreaField
        control={form.control}
        name="description"
        label={t('roles:details.description')}
        maxLength={400}
        rows={2}
      />
      <SelectField
        control={form.control}
        name="from"
        label={t('roles:create.from')}
        description={t('roles:create.fromHint')}
        placeholder={t('roles:create.empty')}
        isClearable
        options={(roles.data?.items ?? []).map((role) => ({ value: role.guid, label: role.name }))}
      />
    </FormDialog>
  )
}
