import { inLanguage } from '../../contract/booking-options.ts'
import type { bookingOptionsApi } from '../../contract/booking-options-api.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import type { Column } from '../core/ui/table/types.ts'
import { answererText, inputText } from './option-words.ts'

type Item = ItemOf<typeof bookingOptionsApi.list>

export function useOptionColumns(): Column<Item>[] {
  const t = useT('options')
  const language = useLanguage()
  return [
    {
      id: 'name',
      header: t('options:label'),
      sort: true,
      card: 'title',
      grow: 2,
      cell: (option) => inLanguage(option.label, language),
    },
    {
      id: 'code',
      header: t('options:code'),
      isSpare: true,
      cell: (option) => <bdi className="nowrap">{option.code}</bdi>,
    },
    {
      id: 'input',
      header: t('options:input'),
      cell: (option) => <span className="nowrap">{inputText(option.input)}</span>,
    },
    {
      id: 'answeredBy',
      header: t('options:answeredBy'),
      cell: (option) => <span className="nowrap">{answererText(option.answeredBy)}</span>,
    },
    {
      id: 'choices',
      header: t('options:choices'),
      grow: 3,
      card: 'none',
      cell: (option) =>
        option.input === 'single' || option.input === 'multi' ? (
          option.choices
            .filter((choice) => choice.isActive)
            .map((choice) => inLanguage(choice.label, language))
            .join(', ')
        ) : (
          <span className="muted">–</span>
        ),
    },
    {
      id: 'usedOn',
      header: t('options:usedOn'),
      align: 'end',
      card: 'side',
      cell: (option) => <span className="nowrap">{t('options:products', { count: option.usedOn })}</span>,
    },
    { id: 'status', header: t('options:status'), cell: (option) => <StatusChip status={option.status} /> },
    {
      id: 'createdAt',
      header: t('options:created'),
      sort: true,
      isHidden: true,
      cell: (option) => <DateText value={option.createdAt} />,
    },
  ]
}
