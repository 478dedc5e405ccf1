import { inLanguage } from '../../contract/booking-options.ts'
import { bookingOptionsApi } from '../../contract/booking-options-api.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useRead } from '../core/api/hooks.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { inputText } from './option-words.ts'
import './booking-options.css'

export interface ProductOptionsProps {
  /** The options that are asked, in order. */
  value: readonly string[]
  /** Without it they can only be looked at. */
  onChange?: ((guids: string[]) => void) | undefined
  error?: string | null
}

/** The options of a product or a kind of job, in the order they are asked in. */
export function ProductOptions({ value, onChange, error }: ProductOptionsProps) {
  const t = useT('options')
  const language = useLanguage()
  const inUse = useRead(bookingOptionsApi.list, { size: 100, sort: 'name' })
  const archived = useRead(bookingOptionsApi.list, { size: 100, sort: 'name', status: 'archived' })
  const known = [...(inUse.data?.items ?? []), ...(archived.data?.items ?? [])]
  const nameOf = (guid: string) => {
    const option = known.find((one) => one.guid === guid)
    return option ? inLanguage(option.label, language) : '…'
  }
  const move = (from: number, to: number) => {
    const next = [...value]
    const [moved] = next.splice(from, 1)
    if (moved) next.splice(to, 0, moved)
    onChange?.(next)
  }
  const open = (inUse.data?.items ?? []).filter(({ guid }) => !value.includes(guid))
  return (
    <div className="stack">
      {value.length === 0 ? <p className="muted no-margin">{t('options:noneAsked')}</p> : null}
      <ol className="option-order">
        {value.map((guid, index) => (
          <li key={guid}>
            <span>
              <AppLink to={pathTo('BookingOptions', guid)}>{nameOf(guid)}</AppLink>{' '}
              <span className="muted small">{inputText(known.find((one) => one.guid === guid)?.input ?? '')}</span>
            </span>
            {onChange ? (
              <span className="row choice-tools">
                <IconTool
                  icon="up"
                  label={t('options:up', { name: nameOf(guid) })}
                  isDisabled={index === 0}
                  onClick={() => move(index, index - 1)}
                />
                <IconTool
                  icon="down"
                  label={t('options:down', { name: nameOf(guid) })}
                  isDisabled={index === value.length - 1}
                  onClick={() => move(index, index + 1)}
                />
                <IconTool
                  icon="delete"
                  label={t('options:remove', { name: nameOf(guid) })}
                  isDisabled={false}
                  onClick={() => onChange(value.filter((one) => one !== guid))}
                />
              </span>
            ) : null}
          </li>
        ))}
      </ol>
      {onChange ? (
        <ChoiceInput
          label={t('options:addOption')}
          placeholder={open.length ? t('options:chooseOption') : t('options:noMore')}
          disabled={open.length === 0}
          data={open.map((option) => ({
            value: option.guid,
            label: inLanguage(option.label, language),
            hint: inputText(option.input),
          }))}
          value={null}
          onChange={(guid) => {
            if (guid) onChange([...value, guid])
          }}
        />
      ) : null}
      {error ? <p className="question-error small no-margin">{error}</p> : null}
    </div>
  )
}
