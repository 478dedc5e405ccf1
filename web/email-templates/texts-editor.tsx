import { Button, Checkbox, Tabs, TextInput } from '@mantine/core'
import { type Ref, useImperativeHandle, useMemo, useRef } from 'react'
import { type Language, languageFacts, languages } from '../../contract/core/languages.ts'
import type { TemplatePart, TemplateProblem, TemplateTexts } from '../../contract/email-templates.ts'
import { messageCategories, type TemplateKind } from '../../contract/messages.ts'
import { offerQuestion } from '../../contract/offer-words.ts'
import { offeredVariables } from '../../contract/template-kinds.ts'
import { asApiError } from '../core/api/error.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { choicesOf } from '../core/ui/rich-text/choices.ts'
import type { RichTextHandle } from '../core/ui/rich-text/editor.tsx'
import { RichText } from '../core/ui/rich-text/rich-text.tsx'
import { VariableInput } from '../core/ui/rich-text/variable-input.tsx'
import { type Draft, noTexts } from './draft.ts'

export interface TextsHandle {
  /** Of the language that is shown. */
  goTo: (problem: TemplateProblem) => void
}

interface Props {
  kind: TemplateKind
  draft: Draft
  onChange: (draft: Draft) => void
  language: Language
  onLanguage: (language: Language) => void
  /** What came back from the last try to save. */
  error: unknown
  isDisabled: boolean
  onSubmit: () => void
  ref: Ref<TextsHandle>
}

/** The words of a template, a language at a time. */
export function TextsEditor({ kind, draft, onChange, language, onLanguage, error, isDisabled, onSubmit, ref }: Props) {
  const t = useT('mails', 'common')
  const body = useRef<RichTextHandle>(null)
  const lines = useRef<Partial<Record<TemplatePart, HTMLInputElement | null>>>({})
  const choices = useMemo(() => choicesOf(offeredVariables(kind)), [kind])
  const failure = error ? asApiError(error) : null
  const problemAt = (path: string) => (failure ? wordsAt(failure, path) : null)
  const isOffer = failure?.errors.some(({ path, message }) => path.endsWith('bodyHtml') && message === offerQuestion)
  const texts = draft.languages[language]
  const write = (part: TemplatePart) => (value: string) => {
    const before: TemplateTexts = draft.languages[language] ?? noTexts
    onChange({ ...draft, languages: { ...draft.languages, [language]: { ...before, [part]: value } } })
  }
  useImperativeHandle(ref, () => ({
    // The fields of another language are there once they are drawn.
    goTo: ({ part, line, at }) =>
      void setTimeout(() => {
        if (part === 'bodyHtml') body.current?.goTo(line, at)
        else selectIn(lines.current[part], at)
      }, 60),
  }))
  const line = (part: Exclude<TemplatePart, 'bodyHtml'>, maxLength: number, isRequired = false) => (
    <VariableInput
      key={`${language} ${part}`}
      ref={(element) => {
        lines.current[part] = element
      }}
      label={t(`mails:parts.${part}`)}
      {...(part === 'preheader' ? { description: t('mails:preheaderHint') } : {})}
      value={texts?.[part] ?? ''}
      onChange={write(part)}
      choices={choices}
      language={language}
      error={problemAt(`languages.${language}.${part}`)}
      isRequired={isRequired}
      isDisabled={isDisabled}
      maxLength={maxLength}
    />
  )
  return (
    <div className="stack">
      <div className="grid-2 form-grid">
        <TextInput
          label={t('mails:name')}
          value={draft.name}
          onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
          error={problemAt('name')}
          maxLength={120}
          required
          disabled={isDisabled}
        />
        <ChoiceInput
          label={t('mails:category')}
          data={messageCategories.map((value) => ({ value, label: t(`mails:categories.${value}`) }))}
          value={draft.category}
          onChange={(value) =>
            onChange({ ...draft, category: messageCategories.find((one) => one === value) ?? 'transactional' })
          }
          disabled={isDisabled}
        />
      </div>
      <Tabs value={language} onChange={(value) => onLanguage(languages.find((one) => one === value) ?? 'en')}>
        <Tabs.List>
          {languages.map((one) => (
            <Tabs.Tab key={one} value={one} c={failure && hasProblem(failure.errors, one) ? 'red' : undefined}>
              {languageFacts[one].name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {texts ? (
        <>
          {line('subject', 200, true)}
          {line('preheader', 200)}
          <RichText
            key={language}
            ref={body}
            label={t('mails:parts.bodyHtml')}
            description={t('mails:bodyHint')}
            value={texts.bodyHtml}
            onChange={write('bodyHtml')}
            choices={choices}
            language={language}
            error={problemAt(`languages.${language}.bodyHtml`)}
            isRequired
            isDisabled={isDisabled}
            onSubmit={onSubmit}
          />
          {isOffer || draft.isFactsOnly ? (
            <Checkbox
              label={t('mails:factsOnly')}
              checked={draft.isFactsOnly}
              disabled={isDisabled}
              onChange={(event) => onChange({ ...draft, isFactsOnly: event.currentTarget.checked })}
            />
          ) : null}
          {line('button', 60)}
          {language !== 'en' && !isDisabled ? (
            <Button variant="default" onClick={() => onChange(without(draft, language))}>
              {t('mails:removeLanguage')}
            </Button>
          ) : null}
        </>
      ) : (
        <div className="stack">
          <p className="muted no-margin">{t('mails:notWritten')}</p>
          {isDisabled ? null : (
            <Button
              variant="default"
              onClick={() =>
                onChange({ ...draft, languages: { ...draft.languages, [language]: draft.languages.en ?? noTexts } })
              }
            >
              {t('mails:addLanguage')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

const hasProblem = (errors: readonly { path: string }[], language: Language) =>
  errors.some(({ path }) => path.startsWith(`languages.${language}.`))

/** Everything that is wrong with a field. */
const wordsAt = ({ errors }: ReturnType<typeof asApiError>, path: string) =>
  errors
    .filter((one) => one.path === path)
    .map(({ message }) => message)
    .join(' ') || null

/** Selects these words of a line, or puts the caret at its end. */
function selectIn(input: HTMLInputElement | null | undefined, at = '') {
  if (!input) return
  const found = at ? input.value.indexOf(at) : -1
  input.focus()
  if (found < 0) input.setSelectionRange(input.value.length, input.value.length)
  else input.setSelectionRange(found, found + at.length)
}

function without(draft: Draft, language: Language): Draft {
  const { [language]: _, ...others } = draft.languages
  return { ...draft, languages: others }
}
