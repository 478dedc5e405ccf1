import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { rolesApi, type Permission, type Role } from '../../contract/roles.ts'
import { asApiError } from '../core/api/error.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import type { Answer } from '../core/api/types.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { useUnsaved } from '../core/ui/unsaved.tsx'
import { draftsOf, sentRules } from './matrix-state.ts'
import { RightsEditor } from './rights-editor.tsx'
import { RecordFrame } from '../record/record-frame.tsx'
import { useRoleActions } from './role-actions.tsx'
import { RoleMembers } from './role-members.tsx'
import { RulesStale } from './rules-stale.tsx'
import { useRules } from './use-rules.ts'
import './roles.css'

type Catalogue = Answer<typeof rolesApi.catalogue>['items']
type Full = Role & { permissions: Permission[] }

export function Page() {
  const guid = useGuid()
  // What is being set must not change under the fingers: the rules are read once.
  const read = useRead(rolesApi.get, { guid }, { staleTime: Number.POSITIVE_INFINITY })
  const catalogue = useRead(rolesApi.catalogue, {}, { staleTime: Number.POSITIVE_INFINITY })
  return (
    <Loaded of={read}>
      {({ role }) => (
        <Loaded of={catalogue}>{({ items }) => <Editor key={role.guid} first={role} catalogue={items} />}</Loaded>
      )}
    </Loaded>
  )
}

const tabs = ['rights', 'members'] as const

/** Errors of a save, by the rule they are about; what belongs to none is said above the matrix. */
function problemsOf(error: unknown, keys: readonly string[], text: (error: unknown) => string) {
  const found = new Map<string, string>()
  if (!error) return { found, rest: null }
  const failure = asApiError(error)
  const others: string[] = []
  for (const { path, message } of failure.errors) {
    const key = keys[Number(/^permissions\.(\d+)/.exec(path)?.[1] ?? -1)]
    if (key) found.set(key, message)
    else others.push(message)
  }
  return { found, rest: failure.error === 'STALE_VERSION' ? null : [text(error), ...others].join(' ') }
}

function Editor({ first, catalogue }: { first: Full; catalogue: Catalogue }) {
  const t = useT('roles', 'access', 'people', 'common')
  const text = useErrorText()
  const navigate = useNavigate()
  const { tab, filter } = useSearch({ strict: false }) as { tab?: string; filter?: string }
  const [role, setRole] = useState<Full>(first)
  const mayUpdate = useCan(rolesApi.replaceRules)
  const editor = useRules(draftsOf(first.permissions), first.kind)
  const [sentKeys, setSentKeys] = useState<string[]>([])
  const isArchived = role.archivedAt !== null
  const isReadOnly = !mayUpdate || isArchived
  const isDirty = editor.changed.size > 0
  const replace = useWrite(rolesApi.replaceRules)
  const unsaved = useUnsaved(isDirty)
  const take = (saved: Full) => {
    setRole(saved)
    editor.reset(draftsOf(saved.permissions))
    replace.reset()
  }
  const save = async (version: number) => {
    setSentKeys(editor.drafts.map((rule) => rule.key))
    await replace
      .mutateAsync({ guid: role.guid, version, permissions: sentRules(editor.drafts) })
      .then((answer) => {
        take(answer.role)
        toast.success(t('roles:saved', { name: answer.role.name }))
      })
      .catch(() => undefined)
  }
  const problems = problemsOf(replace.error, sentKeys, text)
  const shownTab = tabs.find((key) => key === tab) ?? 'rights'
  const whole = useRoleActions(role, {
    isDirty,
    onChanged: (next) => setRole({ ...next, permissions: role.permissions }),
  })
  return (
    <RecordFrame
      noun="Roles"
      title={role.name}
      subtitle={role.description || t(`roles:kinds.${role.kind}`)}
      badge={<RoleChips role={role} />}
      listLabel={t('roles:list.title')}
      {...whole}
      actions={[
        ...whole.actions,
        {
          key: 'save',
          op: rolesApi.replaceRules,
          label: isDirty ? t('roles:saveCount', { count: editor.changed.size }) : t('roles:save'),
          icon: 'save',
          place: 'main',
          isHidden: isArchived,
          refusal: isDirty ? null : t('common:nothingToSave'),
        },
      ]}
      deeds={{ ...whole.deeds, save: { run: () => save(role.version) } }}
      record={role}
      above={unsaved}
    >
      <Tabs
        value={shownTab}
        keepMounted={false}
        onChange={(key) =>
          void navigate({ to: '.', search: key === 'rights' ? {} : { tab: key }, replace: true, resetScroll: false })
        }
      >
        <Tabs.List aria-label={role.name} className="role-tabs">
          <Tabs.Tab value="rights">{t('roles:tabs.rights')}</Tabs.Tab>
          <Tabs.Tab value="members">{t('roles:tabs.members', { count: role.userCount })}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rights">
          <RightsEditor
            name={role.name}
            kind={role.kind}
            editor={editor}
            catalogue={catalogue}
            isReadOnly={isReadOnly}
            firstFilter={filter ?? ''}
            problems={problems.found}
            error={problems.rest}
          />
        </Tabs.Panel>
        <Tabs.Panel value="members">
          <RoleMembers role={role} />
        </Tabs.Panel>
      </Tabs>
      <RulesStale
        error={replace.error}
        mine={editor.drafts}
        onKeepMine={(theirs) => void save(theirs.version)}
        onTakeTheirs={take}
        onClose={() => replace.reset()}
      />
    </RecordFrame>
  )
}

function RoleChips({ role }: { role: Role }) {
  const t = useT('roles')
  return (
    <>
      {role.isSuper ? <StatusChip status="super" tone="primary" label={t('roles:isSuper')} /> : null}
      {role.kind === 'guest' ? <StatusChip status="guest" tone="info" label={t('roles:kinds.guest')} /> : null}
      {role.requiresTwoStep ? <StatusChip status="two-step" tone="success" label={t('roles:twoStep')} /> : null}
      {role.archivedAt ? <StatusChip status="archived" /> : null}
    </>
  )
}
