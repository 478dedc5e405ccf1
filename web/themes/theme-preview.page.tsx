import { Button } from '@mantine/core'
import { useState } from 'react'
import { weakColours } from '../../contract/dress.ts'
import { pathOf } from '../../contract/nouns.ts'
import { type Theme, type ThemeVersion, themesApi } from '../../contract/themes.ts'
import { useCan } from '../core/api/can.ts'
import { asApiError } from '../core/api/error.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { intoView } from '../core/ui/into-view.ts'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import type { ActionFacts } from '../record/actions.ts'
import { archivingActions } from '../record/archiving.ts'
import { RecordFrame } from '../record/record-frame.tsx'
import { Versions } from '../record/versions.tsx'
import { colourText, fontText, weakText } from './theme-fields.ts'
import { ThemeLook, useLooking } from './theme-look.tsx'
import { ColourList, DefaultChip } from './theme-parts.tsx'
import './themes.css'

export function Page() {
  const guid = useGuid()
  const read = useRead(themesApi.get, { guid })
  return <Loaded of={read}>{({ theme }) => <Preview key={theme.guid} theme={theme} />}</Loaded>
}

function Preview({ theme }: { theme: Theme }) {
  const t = useT('themes', 'record')
  const go = useGo()
  const [seen, setSeen] = useState<string | null>(null)
  const version = theme.versions.find(({ guid }) => guid === seen) ?? theme.latest
  const [looking, setLooking] = useLooking()
  const read = useRead(
    themesApi.preview,
    { guid: theme.guid, versionGuid: version.guid, language: looking.language, withPaper: looking.part === 'paper' },
    { keep: true },
  )
  const isArchived = theme.archivedAt !== null
  const notYet = theme.active ? null : t('themes:activateFirst')
  const actions: ActionFacts<'edit' | 'makeDefault' | 'archive' | 'restore'>[] = [
    {
      key: 'edit',
      op: themesApi.update,
      label: t('themes:edit.title'),
      icon: 'edit',
      place: 'head',
      isHidden: isArchived,
    },
    {
      key: 'makeDefault',
      op: themesApi.makeDefault,
      label: t('themes:makeDefault'),
      icon: 'check',
      place: 'head',
      isHidden: isArchived || theme.isDefault,
      refusal: notYet,
      said: t('themes:madeDefault', { name: theme.name }),
    },
    ...archivingActions(t, 'themes', themesApi, theme).map((action) =>
      action.key === 'archive' && theme.isDefault ? { ...action, refusal: t('themes:isDefault') } : action,
    ),
  ]
  return (
    <RecordFrame
      noun="Themes"
      title={theme.name}
      subtitle={isArchived ? null : notYet}
      badge={
        <>
          <StatusChip status={theme.status} />
          {theme.isDefault ? <DefaultChip /> : null}
        </>
      }
      listLabel={t('themes:list.title')}
      actions={actions}
      record={theme}
      deeds={{ edit: { run: () => go(pathOf('Themes', 'edit', theme.guid)) } }}
      rail={<Facts version={version} />}
    >
      <div className="stack" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
        <Card title={t('record:version', { number: version.number })}>
          <ThemeLook looking={looking} onLook={setLooking} shown={read.data} error={read.error} />
        </Card>
        <ThemeVersions theme={theme} seen={version.guid} onSee={setSeen} />
      </div>
    </RecordFrame>
  )
}

function Facts({ version }: { version: ThemeVersion }) {
  const t = useT('themes')
  return (
    <Card title={t('themes:coloursTitle')}>
      <div className="stack">
        {(['light', 'dark'] as const).map((scheme) => (
          <div key={scheme}>
            <h3 className="theme-scheme">{t(`themes:${scheme}`)}</h3>
            <ColourList look={version} scheme={scheme} />
          </div>
        ))}
        <KeyValueList
          items={[
            { label: t('themes:font'), value: fontText(version.font) },
            { label: t('themes:radius'), value: version.radius },
          ]}
        />
      </div>
    </Card>
  )
}

interface VersionsProps {
  theme: Theme
  seen: string
  onSee: (guid: string) => void
}

/** Later versions can be activated, and an earlier one that was active taken up again. */
function ThemeVersions({ theme, seen, onSee }: VersionsProps) {
  const t = useT('themes')
  const text = useErrorText()
  const mayActivate = useCan(themesApi.activate)
  const activate = useWrite(themesApi.activate)
  const rollback = useWrite(themesApi.rollback)
  const { guid, version, active, archivedAt } = theme
  /** Why the version that was asked for is not worn. */
  const [refused, setRefused] = useState<{ guid: string; text: string } | null>(null)
  const wear = async (one: ThemeVersion) => {
    setRefused(null)
    const isBack = active !== null && one.number < active.number
    try {
      await (isBack ? rollback : activate).mutateAsync({ guid, version, versionGuid: one.guid })
      toast.success(t('themes:activated', { number: one.number }))
    } catch (error) {
      const { errors } = asApiError(error)
      setRefused({ guid: one.guid, text: errors.length > 0 ? errors.map(refusalText).join(' ') : text(error) })
    }
  }
  /** Which colour it is about, in the sentence that refuses it. */
  const refusalText = ({ path, message }: { path: string; message: string }) => {
    const [scheme, colour = ''] = path.split('.')
    return `${t(scheme === 'dark' ? 'themes:dark' : 'themes:light')}, ${colourText(colour)}: ${message}`
  }
  const isBusy = activate.isPending || rollback.isPending
  return (
    <Versions
      versions={theme.versions}
      active={active}
      seen={seen}
      note={(one) => {
        const weak = one.guid === active?.guid ? [] : weakColours(one)
        return weak.length > 0 ? (
          <span className="theme-ratio theme-weak" data-weak="true">
            {weakText(t, weak)}
          </span>
        ) : null
      }}
      below={(one) =>
        refused?.guid === one.guid ? (
          <p className="form-problem" role="alert" ref={intoView}>
            {refused.text}
          </p>
        ) : null
      }
      actions={(one) => {
        const isBack = active !== null && one.number < active.number
        return (
          <>
            {one.guid === seen ? null : (
              <Button variant="subtle" size="compact-md" onClick={() => onSee(one.guid)}>
                {t('themes:see', { number: one.number })}
              </Button>
            )}
            {one.guid === active?.guid || !mayActivate || archivedAt !== null || (isBack && !one.activatedAt) ? null : (
              <Button
                variant={isBack ? 'default' : 'filled'}
                size="compact-md"
                loading={isBusy}
                onClick={() => void wear(one)}
              >
                {t(isBack ? 'themes:rollBack' : 'themes:activate', { number: one.number })}
              </Button>
            )}
          </>
        )
      }}
    />
  )
}
