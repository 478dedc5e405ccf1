import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Op } from '../../contract/core/op.ts'
import { tagKey } from '../../contract/core/tagging.ts'
import { spanOf } from '../core/api/business.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Dropdown } from '../core/ui/dropdown.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { LoadingLines } from '../core/ui/states.tsx'

interface TagFilterProps {
  /** Reads the tags that records of the noun have. */
  op: Op
  value: string | null
  set: (value: string | null) => void
}

/** More of them are searched rather than read through. */
const manyTags = 12

function Choices({ op, value, set }: TagFilterProps) {
  const t = useT('record', 'common')
  const [search, setSearch] = useState('')
  const read = useRead(op, spanOf(op) as never)
  if (!read.data) return <LoadingLines lines={2} />
  const chosen = value ? value.split(',') : []
  const isChosen = new Set(chosen.map(tagKey))
  const known = (read.data as { items: string[] }).items
  const gone = chosen.filter((tag) => !known.some((one) => tagKey(one) === tagKey(tag)))
  const all = [...known, ...gone]
  const shown = all.filter((tag) => tagKey(tag).includes(tagKey(search.trim())))
  const toggle = (tag: string, isOn: boolean) =>
    set([...chosen.filter((one) => tagKey(one) !== tagKey(tag)), ...(isOn ? [tag] : [])].join(',') || null)
  return (
    <fieldset className="choices">
      <legend className="visually-hidden">{t('common:tags')}</legend>
      {all.length > manyTags ? (
        <TextInput
          size="xs"
          type="search"
          aria-label={t('record:tags.search')}
          placeholder={t('record:tags.search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      ) : null}
      {shown.map((tag) => (
        <Checkbox
          key={tag}
          size="sm"
          label={<bdi>{tag}</bdi>}
          checked={isChosen.has(tagKey(tag))}
          onChange={(event) => toggle(tag, event.currentTarget.checked)}
        />
      ))}
      {shown.length === 0 ? <p className="muted no-margin">{t('record:tags.none')}</p> : null}
      {chosen.length ? (
        <Button variant="subtle" size="compact-sm" onClick={() => set(null)}>
          {t('common:clear')}
        </Button>
      ) : null}
    </fieldset>
  )
}

/** A list with any of these tags: read when it is opened. */
export function TagFilter(props: TagFilterProps) {
  const t = useT('record', 'common')
  const chosen = props.value ? props.value.split(',') : []
  const label = t('common:tags')
  const shown = chosen.length > 2 ? t('common:table.chosen', { count: chosen.length }) : chosen.join(', ')
  return (
    <Dropdown
      align="start"
      button={(button) => (
        <button {...button} type="button" className="filter-button" data-on={chosen.length > 0}>
          <span className="filter-text">{shown ? `${label}: ${shown}` : label}</span>
          <Icon name="down" size={16} />
        </button>
      )}
    >
      {() => <Choices {...props} />}
    </Dropdown>
  )
}
