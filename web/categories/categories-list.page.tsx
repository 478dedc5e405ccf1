import { useRef, useState } from 'react'
import { categoriesApi, type Category } from '../../contract/categories.ts'
import { pathTo } from '../../contract/nouns.ts'
import { productsApi } from '../../contract/products.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useRun } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { toast, toastWithAction } from '../core/ui/toast.tsx'
import { useProductColumns } from '../products/product-columns.tsx'
import { CategoryRow, NameInput } from './category-row.tsx'
import { dropped, stepped, type Place } from './tree.ts'
import './categories.css'

export function Page() {
  const read = useRead(categoriesApi.list, {})
  const mayAdd = useCan(categoriesApi.create)
  const t = useT('products')
  const [adding, setAdding] = useState<{ parentGuid: string | null } | null>(null)
  const add = mayAdd ? (
    <ActionButton icon="create" onClick={() => setAdding({ parentGuid: null })}>
      {t('products:categories.add')}
    </ActionButton>
  ) : null
  return (
    <>
      <PageHeader title={t('products:categories.title')} subtitle={t('products:categories.subtitle')} actions={add} />
      <Loaded of={read}>
        {({ items }) =>
          items.length === 0 && !adding ? (
            <Card>
              <EmptyState title={t('products:categories.empty')} action={add} />
            </Card>
          ) : (
            <Tree items={items} adding={adding} setAdding={setAdding} />
          )
        }
      </Loaded>
    </>
  )
}

interface TreeProps {
  items: readonly Category[]
  adding: { parentGuid: string | null } | null
  setAdding: (adding: { parentGuid: string | null } | null) => void
}

function Tree({ items, adding, setAdding }: TreeProps) {
  const t = useT('products', 'common')
  const text = useErrorText()
  const run = useRun()
  const mayEdit = useCan(categoriesApi.update)
  const mayAdd = useCan(categoriesApi.create)
  const mayArchive = useCan(categoriesApi.remove)
  const [chosenGuid, choose] = useState<string | null>(null)
  const dragged = useRef<string | null>(null)
  const chosen = items.find(({ guid }) => guid === chosenGuid) ?? items[0]
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      toast.error(text(error))
    }
  }
  const move = (category: Category, place: Place | null) =>
    place && void attempt(() => run(categoriesApi.move, { guid: category.guid, version: category.version, ...place }))
  const archive = (category: Category) =>
    attempt(async () => {
      await run(categoriesApi.remove, { guid: category.guid })
      await toastWithAction(
        t('products:categories.archived', { name: category.name }),
        t('common:undo'),
        () => void attempt(() => run(categoriesApi.restore, { guid: category.guid })),
      )
    })
  const input = (
    <li
      className="category-row"
      style={{ '--level': items.find((c) => c.guid === adding?.parentGuid)?.depth ?? 0 } as React.CSSProperties}
    >
      <NameInput
        label={t('products:categories.newName')}
        placeholder={t('products:categories.newName')}
        onCancel={() => setAdding(null)}
        onDone={async (name) => {
          if (name)
            await attempt(async () => {
              const { category } = await run(categoriesApi.create, { name, parentGuid: adding?.parentGuid ?? null })
              choose(category.guid)
            })
          setAdding(null)
        }}
      />
    </li>
  )
  /** Below what is inside its parent. */
  const lastInside = (parentGuid: string): string => {
    const child = items.findLast((c) => c.parentGuid === parentGuid)
    return child ? lastInside(child.guid) : parentGuid
  }
  const inputBehind = adding?.parentGuid ? lastInside(adding.parentGuid) : null
  return (
    <div className="categories">
      <Card title={t('products:categories.tree')} isFlush>
        <ul className="category-tree">
          {items.map((category) => (
            <Fragmented key={category.guid} more={inputBehind === category.guid ? input : null}>
              <CategoryRow
                category={category}
                isChosen={category.guid === chosen?.guid}
                mayEdit={mayEdit}
                mayAdd={mayAdd && category.depth < 5}
                mayArchive={mayArchive}
                onChoose={() => choose(category.guid)}
                onRename={(name) =>
                  attempt(() => run(categoriesApi.update, { guid: category.guid, version: category.version, name }))
                }
                onStep={(step) => move(category, stepped(items, category.guid, step))}
                onAdd={() => setAdding({ parentGuid: category.guid })}
                onArchive={() => void archive(category)}
                onDragStart={() => (dragged.current = category.guid)}
                onDrop={(where) => {
                  const from = items.find(({ guid }) => guid === dragged.current)
                  if (from) move(from, dropped(items, from.guid, category.guid, where))
                }}
              />
            </Fragmented>
          ))}
          {adding && !inputBehind ? input : null}
        </ul>
        {mayEdit ? <p className="muted small category-hint">{t('products:categories.hint')}</p> : null}
      </Card>
      {chosen ? <Products category={chosen} /> : null}
    </div>
  )
}

const Fragmented = ({ children, more }: { children: React.ReactNode; more: React.ReactNode }) => (
  <>
    {children}
    {more}
  </>
)

/** What is in a category, beside the tree. */
function Products({ category }: { category: Category }) {
  const t = useT('products')
  const columns = useProductColumns()
  const shown = ['name', 'sku', 'priceCents']
  return (
    <Card title={category.name} className="category-products">
      <DataTable
        key={category.guid}
        op={productsApi.list}
        isEmbedded
        hasSearch={false}
        label={t('products:categories.in', { name: category.name })}
        fixed={{ category: category.guid }}
        defaultSort="name"
        defaultSize={25}
        columns={columns.filter(({ id }) => shown.includes(id))}
        rowLabel={(p) => p.name}
        rowLink={(p) => pathTo('Products', p.guid)}
        empty={{ title: t('products:categories.none'), text: t('products:categories.noneText') }}
      />
    </Card>
  )
}
