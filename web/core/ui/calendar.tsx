import '@mantine/dates/styles.layer.css'
import { Popover } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { assignRef } from '@mantine/hooks'
import { type Ref, type RefObject, useLayoutEffect } from 'react'
import { formatPattern } from '../../../contract/core/dates.ts'
import { useLanguage, useT } from '../i18n/i18n.ts'
import { isRtl } from '../../../contract/core/languages.ts'
import { localeOf } from '../i18n/languages.ts'
import { useEscape } from './escape.ts'

export interface CalendarProps {
  isOpen: boolean
  opener: RefObject<HTMLElement | null>
  /** The person went on elsewhere. */
  onClose: () => void
  /** A day was chosen, or none: the focus belongs to the field again. */
  onGoBack: (day?: string) => void
  /** `YYYY-MM-DD`; empty for none. */
  value: string
  /** Shown first where nothing is chosen and all is allowed. */
  today: string
  min: string | undefined
  max: string | undefined
}

/**
 * Makes the button that is already there the one the calendar belongs to: it stands beside it,
 * and pressed again it closes it.
 */
function Opener({ ref, of }: { ref?: Ref<HTMLElement>; of: RefObject<HTMLElement | null> }) {
  useLayoutEffect(() => {
    assignRef(ref, of.current)
  }, [ref, of])
  return null
}

/** A month to choose a day from, beside its field; fetched when it is first opened. */
export function Calendar({ isOpen, opener, onClose, onGoBack, value, today, min, max }: CalendarProps) {
  const t = useT('common')
  const language = useLanguage()
  const locale = localeOf(language)
  // Arabic has no short names of days but single letters.
  const weekday = new Intl.DateTimeFormat(locale, { weekday: isRtl(language) ? 'narrow' : 'short', timeZone: 'UTC' })
  // A fast Escape comes before the focus is within: it is for the calendar all the same, not for the dialog around it.
  useEscape(isOpen, () => onGoBack())
  const by = (pattern: string) => (day: string) => formatPattern(day.slice(0, 10), pattern, { zone: 'UTC', locale })
  return (
    <Popover
      opened={isOpen}
      onDismiss={onClose}
      closeOnEscape={false}
      position="bottom-end"
      trapFocus
      withRoles={false}
      withinPortal
      shadow="md"
    >
      <Popover.Target>
        <Opener of={opener} />
      </Popover.Target>
      <Popover.Dropdown
        role="dialog"
        aria-label={t('common:calendar.open')}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          onGoBack()
        }}
      >
        <DatePicker
          __stopPropagation
          value={value || null}
          defaultDate={value || min || max || today}
          {...(min ? { minDate: min } : {})}
          {...(max ? { maxDate: max } : {})}
          onChange={(day) => onGoBack(day ?? undefined)}
          highlightToday
          monthLabelFormat={by('F Y')}
          monthsListFormat={by('M')}
          yearLabelFormat={by('Y')}
          yearsListFormat={by('Y')}
          decadeLabelFormat={(first, last) => `${by('Y')(first)}–${by('Y')(last)}`}
          weekdayFormat={(day) => weekday.format(new Date(`${day.slice(0, 10)}T00:00:00Z`))}
          weekendDays={[]}
          hideOutsideDates
          getDayAriaLabel={by('l j F Y')}
          ariaLabels={{
            nextMonth: t('common:calendar.nextMonth'),
            previousMonth: t('common:calendar.previousMonth'),
            nextYear: t('common:calendar.nextYear'),
            previousYear: t('common:calendar.previousYear'),
            nextDecade: t('common:calendar.nextDecade'),
            previousDecade: t('common:calendar.previousDecade'),
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
