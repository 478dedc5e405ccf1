import { Checkbox } from '@mantine/core'
import { useId, useState } from 'react'
import { type Attachment, filesApi, maxAttachedAtOnce } from '../../contract/files.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useWholeErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { DialogForm } from '../core/ui/confirm-form.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import type { Owner } from './access.ts'
import { FileThumb } from './file-thumb.tsx'
import './nearby-dialog.css'

/** Files that hang on other records of the same customer: what is ticked hangs here, too. */
export function NearbyDialog({ owner, onClose }: { owner: Owner; onClose: () => void }) {
  const t = useT('files')
  const text = useWholeErrorText()
  const read = useRead(filesApi.nearby, { noun: owner.noun, owner: owner.guid })
  const [chosen, setChosen] = useState<readonly string[]>([])
  const attach = useWrite(filesApi.attach, {
    onSuccess: () => {
      toast.success(t('files:nearby.added', { count: chosen.length }))
      onClose()
    },
  })
  const items = read.data?.items ?? []
  const toggle = (guid: string, isOn: boolean) =>
    setChosen(isOn ? [...chosen, guid] : chosen.filter((one) => one !== guid))
  return (
    <DialogForm
      isOpen
      title={t('files:nearby.title')}
      action={t('files:nearby.add')}
      problem={attach.error ? text(attach.error) : null}
      isBusy={attach.isPending}
      isBlocked={chosen.length === 0}
      onClose={onClose}
      onSubmit={() =>
        attach.mutate({
          noun: owner.noun,
          ownerGuid: owner.guid,
          items: items
            .filter(({ file }) => chosen.includes(file.guid))
            .map(({ file, caption }) => ({ fileGuid: file.guid, caption: caption ?? null })),
        })
      }
    >
      <Loaded of={read}>
        {() =>
          items.length === 0 ? (
            <p className="muted no-margin">{t('files:nearby.none')}</p>
          ) : (
            <ul className="nearby" aria-label={t('files:nearby.title')}>
              {items.map((item) => (
                <li key={item.guid}>
                  <Choice
                    item={item}
                    isChosen={chosen.includes(item.file.guid)}
                    isFull={chosen.length >= maxAttachedAtOnce}
                    onChoose={(isOn) => toggle(item.file.guid, isOn)}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </DialogForm>
  )
}

interface ChoiceProps {
  item: Attachment
  isChosen: boolean
  isFull: boolean
  onChoose: (isOn: boolean) => void
}

function Choice({ item: { file, caption, createdAt }, isChosen, isFull, onChoose }: ChoiceProps) {
  const id = useId()
  const name = caption || file.name
  return (
    <label className="nearby-file" htmlFor={id}>
      <span className="nearby-picture" aria-hidden="true">
        <FileThumb guid={file.guid} hasThumb={file.hasThumb} name={file.name} text={name} side={144} />
      </span>
      <Checkbox
        id={id}
        size="sm"
        label={<bdi>{name}</bdi>}
        checked={isChosen}
        disabled={isFull && !isChosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      <span className="muted">
        <DateText value={file.takenAt ?? createdAt} />
      </span>
    </label>
  )
}
