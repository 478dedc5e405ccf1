import './catalogue.css'
import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { Dropdown } from '../core/ui/dropdown.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { ErrorState, LoadingLines } from '../core/ui/states.tsx'
import { toast, toastWithAction } from '../core/ui/toast.tsx'
import { CardsNav } from './cards-nav.tsx'

const loadingMs = 1200

export function Page() {
  const t = useT('catalogue', 'common')
  return (
    <>
      <PageHeader title={t('catalogue:cards.actions')} subtitle={t('catalogue:cards.actionsText')} />
      <CardsNav />
      <div className="grid-2 catalogue">
        <Foldable />
        <Reloadable />
        <Removable />
        <Card
          title={t('catalogue:action.menu')}
          actions={
            <Dropdown
              button={(props) => (
                <ActionIcon {...props} variant="subtle" color="gray" c="inherit" aria-label={t('common:table.actions')}>
                  <Icon name="more" />
                </ActionIcon>
              )}
            >
              {(close) =>
                (['edit', 'copy', 'archive'] as const).map((name) => (
                  <button
                    key={name}
                    type="button"
                    className="menu-entry"
                    onClick={() => {
                      toast.info(t('catalogue:action.chosen', { name: t(`catalogue:action.${name}`) }))
                      close()
                    }}
                  >
                    <Icon name={name} size={18} />
                    {t(`catalogue:action.${name}`)}
                  </button>
                ))
              }
            </Dropdown>
          }
        >
          <p className="no-margin">{t('catalogue:action.menuText')}</p>
        </Card>
        <Card title={t('catalogue:action.reasons')}>
          <p>{t('catalogue:action.reasonsText')}</p>
          <div className="row">
            <ActionButton icon="send" disabledReason={t('catalogue:action.noRecipient')}>
              {t('catalogue:action.send')}
            </ActionButton>
            <ActionButton icon="print" variant="default" onClick={() => window.print()}>
              {t('common:print')}
            </ActionButton>
          </div>
        </Card>
        <States />
      </div>
    </>
  )
}

function Foldable() {
  const t = useT('catalogue')
  const [isOpen, setOpen] = useState(true)
  return (
    <Card
      title={t('catalogue:action.fold')}
      actions={
        <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('catalogue:action.close') : t('catalogue:action.open')}
        </Button>
      }
    >
      {isOpen ? (
        <p className="no-margin">{t('catalogue:action.foldText')}</p>
      ) : (
        <p className="no-margin muted">{t('catalogue:action.folded')}</p>
      )}
    </Card>
  )
}

function Reloadable() {
  const t = useT('catalogue')
  const [isLoading, setLoading] = useState(false)
  useEffect(() => {
    if (!isLoading) return
    const timer = setTimeout(() => setLoading(false), loadingMs)
    return () => clearTimeout(timer)
  }, [isLoading])
  return (
    <Card
      title={t('catalogue:action.reload')}
      actions={
        <ActionIcon
          variant="subtle"
          color="gray"
          c="inherit"
          loading={isLoading}
          aria-label={t('catalogue:action.reload')}
          onClick={() => setLoading(true)}
        >
          <Icon name="reload" />
        </ActionIcon>
      }
    >
      {isLoading ? <LoadingLines lines={3} /> : <p className="no-margin">{t('catalogue:action.reloadText')}</p>}
    </Card>
  )
}

function Removable() {
  const t = useT('catalogue', 'common')
  const [isThere, setThere] = useState(true)
  const remove = () => {
    setThere(false)
    void toastWithAction(t('catalogue:action.removed'), t('common:undo'), () => setThere(true))
  }
  if (!isThere)
    return (
      <Card>
        <div className="row spread">
          <span className="muted">{t('catalogue:action.removed')}</span>
          <button type="button" className="link" onClick={() => setThere(true)}>
            {t('common:undo')}
          </button>
        </div>
      </Card>
    )
  return (
    <Card
      title={t('catalogue:action.remove')}
      actions={
        <ActionIcon
          variant="subtle"
          color="gray"
          c="inherit"
          aria-label={t('catalogue:action.remove')}
          onClick={remove}
        >
          <Icon name="archive" />
        </ActionIcon>
      }
    >
      <p className="no-margin">{t('catalogue:action.removeText')}</p>
    </Card>
  )
}

/** What a card shows while it loads and when it cannot. */
function States() {
  const t = useT('catalogue')
  const [state, setState] = useState<'loading' | 'error' | 'shown'>('shown')
  const options = (['loading', 'error', 'shown'] as const).map((value) => ({
    value,
    label: t(`catalogue:state.${value}`),
  }))
  return (
    <Card
      title={t('catalogue:state.title')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('catalogue:state.title')}
          value={state}
          onChange={(value) => setState(value as typeof state)}
          data={options}
        />
      }
    >
      {state === 'loading' ? (
        <LoadingLines lines={4} />
      ) : state === 'error' ? (
        <ErrorState error={new Error(t('catalogue:state.failed'))} onRetry={() => setState('shown')} />
      ) : (
        <p className="no-margin">{t('catalogue:state.content')}</p>
      )}
    </Card>
  )
}
