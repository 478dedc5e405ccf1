import { Button, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { type ListDefaults, viewsApi, type View } from '../../../../contract/views.ts'
import { noteListDefaults, useListDefaults } from '../../api/auth-state.ts'
import { useCan } from '../../api/can.ts'
import { asApiError } from '../../api/error.ts'
import { useRead, useWrite } from '../../api/hooks.ts'
import { useErrorText } from '../../i18n/errors.ts'
import { useT } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import { IconTool } from '../icon-tool.tsx'
import { Loaded } from '../states.tsx'
import { toast, toastWithAction } from '../toast.tsx'
import type { ListState, ListValues } from './list-state.ts'

/** What is kept of the address: everything but the page one is on. */
const keptOf = ({ page: _page, ...kept }: ListValues): ListValues => kept
const isSame = (a: ListValues, b: ListValues) => {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key])
}

interface Props {
  /** The right to read the list: views belong to it. */
  subject: string
  state: ListState
  close: () => void
}

/** The views of a list: one's own and those that are shared; what is shown now can be kept under a name. */
export function Views({ subject, state, close }: Props) {
  const t = useT('views', 'common')
  const read = useRead(viewsApi.list, { subject })
  const now = keptOf(state.values)
  const open = (values: ListValues) => {
    state.open(values)
    close()
  }
  return (
    <div className="views">
      <Loaded of={read}>
        {({ items }) => (
          <>
            <ul className="views-list">
              <StandardRow subject={subject} now={now} onOpen={() => open({})} />
              {items.map((view) => (
                <ViewRow key={view.guid} view={view} now={now} onOpen={() => open(view.values)} />
              ))}
            </ul>
            {Object.keys(now).length > 0 && !items.some((view) => isSame(now, view.values)) ? (
              <SaveForm subject={subject} values={now} />
            ) : null}
            {Object.keys(now).length === 0 ? <p className="views-hint">{t('views:hint')}</p> : null}
          </>
        )}
      </Loaded>
    </div>
  )
}

function Entry({
  name,
  detail,
  isCurrent,
  onOpen,
}: {
  name: string
  detail?: string | undefined
  isCurrent: boolean
  onOpen: () => void
}) {
  return (
    <button
      type="button"
      className="menu-entry view-entry"
      aria-current={isCurrent ? 'true' : undefined}
      onClick={onOpen}
    >
      <span className="view-check">{isCurrent ? <Icon name="check" size={16} /> : null}</span>
      <span className="view-name">
        <bdi>{name}</bdi>
        {detail ? <span className="view-detail">{detail}</span> : null}
      </span>
    </button>
  )
}

/** The list as it is without a view; its sort, columns and rows per page can be one's own. */
function StandardRow({ subject, now, onOpen }: { subject: string; now: ListValues; onOpen: () => void }) {
  const t = useT('views')
  const text = useErrorText()
  const liked = useListDefaults(subject)
  const keep = useWrite(viewsApi.defaults, { onError: (error) => toast.error(text(error)) })
  const { sort = null, size = null, columns = null } = now
  const isLiked = Boolean(liked?.sort ?? liked?.size ?? liked?.columns)
  const isNews =
    (sort ?? liked?.sort ?? null) !== (liked?.sort ?? null) ||
    (size !== null && Number(size) !== liked?.size) ||
    (columns !== null && columns !== liked?.columns?.join(','))
  const put = (defaults: Omit<ListDefaults, 'subject'>, said: string) => {
    noteListDefaults({ subject, ...defaults })
    keep.mutate({ subject, ...defaults }, { onSuccess: () => toast.success(said) })
  }
  const shown = (): Omit<ListDefaults, 'subject'> => ({
    sort: sort ?? liked?.sort ?? null,
    size: size === null ? (liked?.size ?? null) : Number(size),
    columns: columns?.split(',') ?? liked?.columns ?? null,
  })
  return (
    <li className="view-row">
      <Entry name={t('views:standard')} isCurrent={isSame(now, {})} onOpen={onOpen} />
      {isNews ? (
        <IconTool
          isSmall
          icon="save"
          label={t('views:makeDefault')}
          isBusy={keep.isPending}
          onClick={() => {
            put(shown(), t('views:madeDefault'))
            onOpen()
          }}
        />
      ) : null}
      {isLiked ? (
        <IconTool
          isSmall
          icon="undo"
          label={t('views:resetDefault')}
          isBusy={keep.isPending}
          onClick={() => put({ sort: null, size: null, columns: null }, t('views:defaultReset'))}
        />
      ) : null}
    </li>
  )
}

function ViewRow({ view, now, onOpen }: { view: View; now: ListValues; onOpen: () => void }) {
  const t = useT('views', 'common')
  const text = useErrorText()
  const onError = (error: unknown) => toast.error(text(error))
  const mayShare = useCan(viewsApi.share)
  const update = useWrite(viewsApi.update, {
    onError,
    onSuccess: () => toast.success(t('views:changed', { name: view.name })),
  })
  const again = useWrite(viewsApi.create, { onError })
  const shareAgain = useWrite(viewsApi.share, { onError })
  const share = useWrite(viewsApi.share, {
    onError,
    onSuccess: (_answer, { isShared }) =>
      toast.success(t(isShared ? 'views:shared' : 'views:unshared', { name: view.name })),
  })
  const bringBack = async () => {
    const made = await again.mutateAsync({ subject: view.subject, name: view.name, values: view.values })
    if (view.isShared)
      await shareAgain.mutateAsync({ guid: made.view.guid, version: made.view.version, isShared: true })
  }
  const remove = useWrite(viewsApi.remove, {
    onError,
    onSuccess: () =>
      toastWithAction(
        t('views:removed', { name: view.name }),
        t('common:undo'),
        () => void bringBack().catch(() => undefined),
      ),
  })
  const { guid, version } = view
  const isCurrent = isSame(now, view.values)
  const isChanged = !isCurrent && Object.keys(now).length > 0
  return (
    <li className="view-row">
      <Entry
        name={view.name}
        detail={
          view.isOwn
            ? view.isShared
              ? t('views:sharedByYou')
              : undefined
            : t('views:sharedBy', { name: view.ownerName })
        }
        isCurrent={isCurrent}
        onOpen={onOpen}
      />
      {view.isOwn && isChanged ? (
        <IconTool
          isSmall
          icon="save"
          label={t('views:update', { name: view.name })}
          isBusy={update.isPending}
          onClick={() => update.mutate({ guid, version, values: now })}
        />
      ) : null}
      {mayShare && (view.isOwn || view.isShared) ? (
        <IconTool
          isSmall
          icon={view.isShared ? 'lock' : 'customers'}
          label={t(view.isShared ? 'views:unshare' : 'views:share', { name: view.name })}
          isBusy={share.isPending}
          onClick={() => share.mutate({ guid, version, isShared: !view.isShared })}
        />
      ) : null}
      {view.isOwn ? (
        <IconTool
          isSmall
          icon="delete"
          label={t('views:remove', { name: view.name })}
          isBusy={remove.isPending}
          onClick={() => remove.mutate({ guid })}
        />
      ) : null}
    </li>
  )
}

function SaveForm({ subject, values }: { subject: string; values: ListValues }) {
  const t = useT('views')
  const text = useErrorText()
  const [name, setName] = useState('')
  const save = useWrite(viewsApi.create, {
    onSuccess: ({ view }) => toast.success(t('views:saved', { name: view.name })),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (name.trim()) save.mutate({ subject, name: name.trim(), values })
  }
  const error = save.error ? asApiError(save.error) : null
  return (
    <form className="view-save" onSubmit={submit}>
      <TextInput
        label={t('views:saveAs')}
        placeholder={t('views:name')}
        value={name}
        maxLength={80}
        required
        error={error ? text(error) : null}
        onChange={(event) => {
          setName(event.currentTarget.value)
          save.reset()
        }}
      />
      <Button type="submit" size="sm" loading={save.isPending} disabled={!name.trim()}>
        {t('views:save')}
      </Button>
    </form>
  )
}
