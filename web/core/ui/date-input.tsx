import { ActionIcon } from '@mantine/core'
import { useRef, useState } from 'react'
import { formatPattern, instantAt, localDay } from '../../../contract/core/dates.ts'
import { parseTime } from '../../../contract/core/times.ts'
import { preferencesOf, useAuth, useUser } from '../api/auth-state.ts'
import { useFormat } from '../i18n/format.ts'
import { useLanguage, useT } from '../i18n/i18n.ts'
import { localeOf } from '../i18n/languages.ts'
import { parseDay } from './days.ts'
import { Icon } from './icon.tsx'
import { type ParsedBase, ParsedInput } from './parsed-input.tsx'
import { whenOpen } from './when-open.tsx'

const Calendar = whenOpen(() => import('./calendar.tsx').then((module) => module.Calendar))

export interface DateInputProps extends ParsedBase {
  /** `YYYY-MM-DD`; empty for none. */
  value: string
  onChange: (day: string) => void
  /** The first and the last day the calendar offers; the server decides about typed ones. */
  min?: string
  max?: string
}

/** As customers read days, who have no display format of their own. */
const inWords = 'j F Y'

/** A day, typed in the person's own display format or chosen from a calendar. */
export function DateInput({ value, onChange, min, max, ...props }: DateInputProps) {
  const t = useT('common')
  const locale = localeOf(useLanguage())
  const { displayDateFormat } = preferencesOf(useAuth())
  const pattern = useUser() ? displayDateFormat : inWords
  const [isOpen, setOpen] = useState(false)
  const [choices, setChoices] = useState(0)
  const opener = useRef<HTMLButtonElement>(null)
  const write = (day: string) => (day ? formatPattern(day, pattern, { zone: 'UTC', locale }) : '')
  const read = (text: string, today?: string) => {
    const day = parseDay(text, { pattern, locale, ...(today ? { today } : {}) })
    return day === null ? '' : day
  }
  const { zone } = useFormat()
  const [today] = useState(() => localDay(new Date().toISOString(), zone))
  const goBack = (day?: string) => {
    if (day) {
      setChoices(choices + 1)
      onChange(day)
    }
    setOpen(false)
    opener.current?.focus()
  }
  return (
    <ParsedInput
      {...props}
      value={value}
      onChange={onChange}
      choices={choices}
      write={write}
      read={read}
      readAtEnd={(text) => read(text, today)}
      // Joined, so that no line ends within the day.
      problem={t('common:form.notDay', { example: write(today).replaceAll('-', '-\u2060') })}
      rightSection={
        <>
          <ActionIcon
            ref={opener}
            variant="subtle"
            color="gray"
            size="md"
            aria-label={t('common:calendar.open')}
            title={t('common:calendar.open')}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            disabled={props.disabled}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="calendar" size={18} />
          </ActionIcon>
          <Calendar
            isOpen={isOpen}
            opener={opener}
            value={value}
            today={today}
            min={min}
            max={max}
            onClose={() => setOpen(false)}
            onGoBack={goBack}
          />
        </>
      }
    />
  )
}

interface TimeInputProps extends ParsedBase {
  /** Minutes after midnight. */
  value: number | null
  onChange: (minutes: number | null) => void
}

/** A time of day, in the person's own display format. */
export function TimeInput(props: TimeInputProps) {
  const t = useT('common')
  const locale = localeOf(useLanguage())
  const { displayTimeFormat: pattern } = preferencesOf(useAuth())
  const write = (minutes: number | null) =>
    minutes === null ? '' : formatPattern(instantAt('2000-01-01', minutes, 'UTC'), pattern, { zone: 'UTC', locale })
  return (
    <ParsedInput
      {...props}
      write={write}
      read={parseTime}
      nothing={null}
      problem={t('common:form.notTime', { example: write(14 * 60 + 30) })}
    />
  )
}
