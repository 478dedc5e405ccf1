import { ActionIcon, TextInput } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { type FocusEventHandler, type Ref, useImperativeHandle, useRef } from 'react'
import { type Language, languageFacts } from '../../../../contract/core/languages.ts'
import { useT } from '../../i18n/i18n.ts'
import { completingIn, type VariableChoice } from './choices.ts'
import { useCompletion } from './completion.tsx'

export interface VariableInputProps {
  label: string
  description?: string
  value: string
  onChange: (value: string) => void
  onBlur?: FocusEventHandler
  choices: readonly VariableChoice[]
  language: Language
  error?: string | null
  isRequired?: boolean
  isDisabled?: boolean
  maxLength?: number
  ref?: Ref<HTMLInputElement>
}

/** A line with variables: `/` or two braces list them. */
export function VariableInput({ label, description, value, onChange, onBlur, choices, ...more }: VariableInputProps) {
  const { language, error, isRequired = false, isDisabled = false, maxLength, ref } = more
  const t = useT('editor')
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => input.current as HTMLInputElement)
  const replace = (text: string, length: number) => {
    const element = input.current
    if (!element) return
    const end = element.selectionStart ?? value.length
    const caret = end - length + text.length
    onChange(value.slice(0, end - length) + text + value.slice(end))
    requestAnimationFrame(() => {
      element.focus()
      element.setSelectionRange(caret, caret)
    })
  }
  const completion = useCompletion(choices, input, replace)
  const look = () => {
    const element = input.current
    if (element) completion.ask(completingIn(element.value.slice(0, element.selectionStart ?? 0)))
  }
  return (
    <>
      <TextInput
        ref={input}
        label={label}
        description={description}
        value={value}
        error={error ?? null}
        required={isRequired}
        disabled={isDisabled}
        {...(maxLength === undefined ? {} : { maxLength })}
        lang={language}
        dir={languageFacts[language].direction}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={completion.isOpen}
        aria-controls={completion.aria['aria-controls']}
        aria-activedescendant={completion.aria['aria-activedescendant']}
        onChange={(event) => {
          onChange(event.currentTarget.value)
          look()
        }}
        onKeyDown={(event) => completion.onKey(event.nativeEvent)}
        onBlur={(event) => {
          completion.close()
          onBlur?.(event)
        }}
        rightSection={
          choices.length > 0 && !isDisabled ? (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('editor:insertIn', { field: label })}
              title={t('editor:insert')}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                const element = input.current
                if (!element) return
                element.focus()
                replace('{{', 0)
                requestAnimationFrame(() => completion.ask({ length: 2, query: '' }))
              }}
            >
              <IconBraces size={16} aria-hidden />
            </ActionIcon>
          ) : null
        }
      />
      {completion.list}
    </>
  )
}
