import { Switch, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { rolesApi } from '../../contract/roles.ts'
import { pathTo } from '../../contract/nouns.ts'
import { nounOfSubject, nounText, rightText, ruleText, tailText, actionText } from '../access/words.ts'
import { useRead } from '../core/api/hooks.ts'
import type { Answer } from '../core/api/types.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { SearchChoice } from '../core/ui/search-choice.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { Loaded } from '../core/ui/states.tsx'
import '../access/access.css'
import './roles.css'

type Compared = Answer<typeof rolesApi.compare>
type Item = Compared['items'][number]

const asGuid = (value: unknown) => (typeof value === 'string' && /^[0-9a-f-]{36}$/i.test(value) ? value : null)

/** Two roles side by side: each right, and the rule it rests on. */
export function Page() {
  const t = useT('roles', 'access', 'common')
  const navigate = useNavigate()
  const raw = useSearch({ strict: false }) as Record<string, unknown>
  const [left, right] = [asGuid(raw.left), asGuid(raw.right)]
  const roles = useRead(rolesApi.list, { size: 100, sort: 'name' })
  const isReady = left !== null && right !== null
  const compared = useRead(rolesApi.compare, { left: left ?? '', right: right ?? '' }, { enabled: isReady, keep: true })
  const pick = (side: 'left' | 'right', guid: string | null) =>
    void navigate({
      to: '.',
      search: { ...(left ? { left } : {}), ...(right ? { right } : {}), [side]: guid ?? undefined },
      replace: true,
      resetScroll: false,
    })
  const options = (roles.data?.items ?? []).map((role) => ({ value: role.guid, label: role.name }))
  return (
    <>
      <PageHeader
        title={t('roles:compare.title')}
        subtitle={t('roles:compare.subtitle')}
        crumbs={[{ to: pathTo('Roles'), label: t('roles:list.title') }]}
      />
      <div className="stack cards">
        <Card>
          <div className="grid-2 form-grid">
            <SearchChoice
              label={t('roles:compare.left')}
              placeholder={t('access:ask.choose')}
              allowDeselect={false}
              data={options}
              value={left}
              onChange={(guid) => pick('left', guid)}
            />
            <SearchChoice
              label={t('roles:compare.right')}
              placeholder={t('access:ask.choose')}
              allowDeselect={false}
              data={options}
              value={right}
              onChange={(guid) => pick('right', guid)}
            />
          </div>
        </Card>
        {isReady ? (
          <Loaded of={compared}>{(data) => <Comparison data={data} />}</Loaded>
        ) : (
          <Card>
            <EmptyState scene="search" title={t('roles:compare.choose')} text={t('roles:compare.chooseText')} />
          </Card>
        )}
      </div>
    </>
  )
}

const icons = { all: 'check', some: 'filter', none: 'close' } as const

function Side({ side }: { side: Item['left'] }) {
  const t = useT('access')
  const f = useFormat()
  return (
    <td className="compare-side">
      <span className="verdict" data-access={side.access}>
        <Icon name={icons[side.access]} size={16} />
      </span>
      {t(`access:verdict.${side.access}`)}
      {side.rule ? (
        <span className="cell-sub">{[ruleText(side.rule, t, f), side.rule.note].filter(Boolean).join(' · ')}</span>
      ) : null}
    </td>
  )
}

function Comparison({ data }: { data: Compared }) {
  const t = useT('roles', 'access', 'common')
  const [isDifferentOnly, setDifferentOnly] = useState(true)
  const [filter, setFilter] = useState('')
  const words = filter.trim().toLocaleLowerCase()
  const differences = data.items.filter((item) => item.isDifferent).length
  const items = data.items.filter(
    (item) =>
      (!isDifferentOnly || item.isDifferent) &&
      (!words || `${rightText(item.action, item.subject)} ${item.subject}`.toLocaleLowerCase().includes(words)),
  )
  const groups = [...Map.groupBy(items, (item) => nounOfSubject(item.subject))]
  return (
    <Card title={t('roles:compare.differences', { count: differences })}>
      <div className="stack">
        <div className="row spread no-print">
          <TextInput
            type="search"
            className="rights-search"
            aria-label={t('access:table.filter')}
            placeholder={t('access:table.filter')}
            leftSection={<Icon name="search" size={18} />}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
          <Switch
            label={t('roles:compare.differentOnly')}
            checked={isDifferentOnly}
            onChange={(event) => setDifferentOnly(event.currentTarget.checked)}
          />
        </div>
        {items.length === 0 ? (
          <p className="muted no-margin">{differences === 0 ? t('roles:compare.same') : t('common:nothingFound')}</p>
        ) : (
          <div className="table-scroll" role="region" aria-label={t('roles:compare.title')} tabIndex={0}>
            <table className="plain-table compare-table">
              <thead>
                <tr>
                  <th scope="col">{t('access:table.right')}</th>
                  {[data.left, data.right].map((role, index) => (
                    <th key={`${role.guid} ${index === 0}`} scope="col">
                      <AppLink to={pathTo('Roles', role.guid)}>{role.name}</AppLink>
                    </th>
                  ))}
                </tr>
              </thead>
              {groups.map(([noun, rows]) => (
                <tbody key={noun}>
                  <tr className="rights-noun">
                    <th scope="rowgroup" colSpan={3}>
                      {nounText(noun)}
                    </th>
                  </tr>
                  {rows.map((item) => (
                    <tr key={`${item.action} ${item.subject}`} data-different={item.isDifferent}>
                      <th scope="row">
                        {[actionText(item.action), tailText(item.subject)].filter(Boolean).join(' · ')}
                      </th>
                      <Side side={item.left} />
                      <Side side={item.right} />
                    </tr>
                  ))}
                </tbody>
              ))}
            </table>
          </div>
        )}
      </div>
    </Card>
  )
}
