import './catalogue.css'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { icons, type IconName } from '../core/ui/icons.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { toast } from '../core/ui/toast.tsx'

/** The eight that buttons of the same kind carry everywhere. */
const named = [
  'save',
  'create',
  'delete',
  'search',
  'settings',
  'peek',
  'info',
  'reload',
] as const satisfies readonly IconName[]
const all = (Object.keys(icons) as IconName[]).toSorted()

export function Page() {
  const t = useT('catalogue')
  const [search, setSearch] = useState('')
  const found = all.filter((name) => name.includes(search.trim().toLowerCase()))
  return (
    <>
      <PageHeader title={t('catalogue:icons.title')} subtitle={t('catalogue:icons.subtitle')} />
      <div className="stack catalogue">
        <Card title={t('catalogue:icons.named')}>
          <Tiles names={named} />
        </Card>
        <div id="all" className="anchor" />
        <Card
          title={t('catalogue:icons.all', { count: all.length })}
          actions={
            <TextInput
              aria-label={t('catalogue:icons.find')}
              placeholder={t('catalogue:icons.find')}
              leftSection={<Icon name="search" size={18} />}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          }
        >
          {found.length ? <Tiles names={found} /> : <EmptyState scene="search" title={t('catalogue:icons.none')} />}
        </Card>
      </div>
    </>
  )
}

function Tiles({ names }: { names: readonly IconName[] }) {
  const t = useT('catalogue')
  const copy = async (name: IconName) => {
    try {
      await navigator.clipboard.writeText(name)
      toast.success(t('catalogue:icons.copied', { name }))
    } catch {
      toast.warning(t('catalogue:icons.notCopied'))
    }
  }
  return (
    <ul className="icon-tiles">
      {names.map((name) => (
        <li key={name}>
          <button
            type="button"
            className="icon-tile"
            aria-label={t('catalogue:icons.copy', { name })}
            onClick={() => void copy(name)}
          >
            <Icon name={name} size={26} />
            <span>{name}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
