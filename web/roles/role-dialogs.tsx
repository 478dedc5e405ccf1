import { z } from 'zod'
import { rolesApi, type Role } from '../../contract/roles.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { bare } from '../core/i18n/languages.ts'
import { SelectField } from '../core/ui/fields.tsx'
import { useGo } from '../core/ui/params.ts'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { formValues, type FormValues } from '../record/form-values.ts'
import type { Fields } from '../record/record-facts.tsx'
import { RecordField } from '../record/record-fields.tsx'
import { useSaving } from '../record/saving.tsx'
import { useSchemaForm } from '../record/schema-form.ts'

const details = rolesApi.update.body.omit({ version: true }).required()
type Details = z.output<typeof details>
const roleFields: Fields<Details> = {
  schema: details,
  rows: {
    name: { label: 'roles:details.name' },
    description: { label: 'roles:details.description' },
    requiresTwoStep: { label: 'roles:details.twoStep', hint: 'roles:details.twoStepHint' },
  },
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
  const t = useT('roles')
  const update = useWrite(rolesApi.update)
  const { base, round, save, dialog } = useSaving<Details, Role>({
    first: role,
    noun: 'role',
    fields: roleFields,
    send: async (version, changes) => (await update.mutateAsync({ guid: role.guid, version, ...changes })).role,
  })
  return (
    <>
      <RoleDetailsForm
        key={round}
        role={base}
        save={async (changes) => {
          const saved = await save(changes)
          onSaved(saved)
          toast.success(t('roles:saved', { name: saved.name }))
        }}
        onClose={onClose}
      />
      {dialog}
    </>
  )
}

function RoleDetailsForm({
  role,
  save,
  onClose,
}: {
  role: Role
  save: (changes: Partial<Details>) => Promise<void>
  onClose: () => void
}) {
  const t = useT('roles', 'record')
  const form = useSchemaForm<FormValues<Details>, Details>(details, formValues(details, role))
  return (
    <FormDialog
      form={form}
      title={t('roles:details.title')}
      action={t('roles:details.save')}
      isStaleAsked
      onSave={(_input, changes) => save(changes)}
      onClose={onClose}
    >
      <RecordField of={roleFields} control={form.control} name="name" autoFocus />
      <RecordField of={roleFields} control={form.control} name="description" />
      {role.kind === 'staff' ? <RecordField of={roleFields} control={form.control} name="requiresTwoStep" /> : null}
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
    await go(pathTo('Roles', answer.role.guid))
  }
  return (
    <FormDialog
      form={form}
      title={t('roles:clone.title', { name: role.name })}
      action={t('roles:clone.save')}
      onSave={save}
      onClose={onClose}
    >
      <RecordField of={roleFields} control={form.control} name="name" autoFocus />
      <RecordField of={roleFields} control={form.control} name="description" />
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
    await go(pathTo('Roles', answer.role.guid))
  }
  return (
    <FormDialog
      form={form}
      title={t('roles:create.title')}
      action={t('roles:create.save')}
      onSave={save}
      onClose={onClose}
    >
      <RecordField of={roleFields} control={form.control} name="name" autoFocus />
      <RecordField of={roleFields} control={form.control} name="description" />
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
