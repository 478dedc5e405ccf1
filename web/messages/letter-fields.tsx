import { TextInput } from '@mantine/core'
import { type Ref, useMemo, useState } from 'react'
import { languageFacts, languages, type Language } from '../../contract/core/languages.ts'
import type { Composed } from '../../contract/message-writes.ts'
import type { TemplateKind } from '../../contract/messages.ts'
import { offeredVariables } from '../../contract/template-kinds.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { choicesOf } from '../core/ui/rich-text/choices.ts'
import { RichText } from '../core/ui/rich-text/rich-text.tsx'
import type { RichTextHandle } from '../core/ui/rich-text/editor.tsx'
import type { ComposeErrors, ComposeValues } from './compose-values.ts'

const none = ''

interface FrameFieldsProps {
  values: ComposeValues
  composed: Composed
  onTemplate: (guid: string | null) => void
  onLanguage: (language: Language) => void
  onTheme: (guid: string) => void
}

/** What there is to choose from; what a message was made of once is among it, though nothing new is made of it. */
function useChoices(offered: readonly { guid: string; name: string }[], chosen: string | null) {
  const t = useT('compose')
  const [first] = useState(chosen)
  const isGone = first !== null && !offered.some(({ guid }) => guid === first)
  return [
    ...(isGone ? [{ value: first, label: t('compose:keptTemplate') }] : []),
    ...offered.map(({ guid, name }) => ({ value: guid, label: name })),
  ]
}

/** What a message is made of before a word is written: template, language, theme. */
export function FrameFields({ values, composed, onTemplate, onLanguage, onTheme }: FrameFieldsProps) {
  const t = useT('compose', 'common')
  const { templates, themes } = composed
  const { templateGuid, themeGuid, language } = values
  const templateChoices = useChoices(templates, templateGuid)
  const themeChoices = useChoices(themes, themeGuid)
  return (
    <div className="compose-three">
      <ChoiceInput
        label={t('compose:template')}
        data={[{ value: none, label: t('compose:noTemplate') }, ...templateChoices]}
        value={templateGuid ?? none}
        onChange={(guid) => onTemplate(guid || null)}
      />
      <ChoiceInput
        label={t('compose:language')}
        data={languages.map((value) => ({ value, label: languageFacts[value].name }))}
        value={language}
        onChange={(next) => onLanguage((next ?? language) as Language)}
      />
      {themeChoices.length > 1 ? (
        <ChoiceInput
          label={t('compose:theme')}
          data={themeChoices}
          value={themeGuid}
          onChange={(guid) => (guid ? onTheme(guid) : undefined)}
        />
      ) : null}
    </div>
  )
}

interface WordFieldsProps {
  values: ComposeValues
  errors: ComposeErrors
  onChange: (change: Partial<ComposeValues>) => void
  /** Of the template that gives the words their variables; null where braces are words like others. */
  kind: TemplateKind | null
  onSubmit: () => void
  editor: Ref<RichTextHandle>
  startsIn: 'subject' | 'body' | undefined
}

/** Subject and body, each in the direction of its language. */
export function WordFields({ values, errors, onChange, kind, onSubmit, editor, startsIn }: WordFieldsProps) {
  const t = useT('compose', 'editor')
  const { language, subject, bodyHtml } = values
  const choices = useMemo(() => (kind ? choicesOf(offeredVariables(kind)) : []), [kind])
  return (
    <>
      <TextInput
        label={t('compose:subject')}
        lang={language}
        dir={languageFacts[language].direction}
        value={subject}
        maxLength={200}
        withAsterisk
        aria-required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- where the keyboard was is gone
        autoFocus={startsIn === 'subject'}
        error={errors.subject}
        onChange={(event) => onChange({ subject: event.currentTarget.value })}
      />
      <RichText
        ref={editor}
        label={t('compose:body')}
        {...(kind ? { description: t('compose:variablesHint') } : {})}
        value={bodyHtml}
        onChange={(html) => onChange({ bodyHtml: html })}
        choices={choices}
        language={language}
        error={errors.bodyHtml ?? null}
        isRequired
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- whoever answers begins to write
        autoFocus={startsIn === 'body'}
        onSubmit={onSubmit}
      />
    </>
  )
}
