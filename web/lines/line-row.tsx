import { ActionIcon, Menu, Select, TextInput, Textarea } from '@mantine/core'
import { memo, useState, type KeyboardEvent } from 'react'
import { gstCodes, units } from '../../contract/lines.ts'
import type { LineTotals } from '../../contract/core/money.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { MoneyInput, QuantityInput } from '../core/ui/inputs.tsx'
import { Money } from '../core/ui/money.tsx'
import { DiscountInput } from './discount-input.tsx'
import { isPriced, type EditorLine, type Unit } from './line-state.ts'
import { ProductName } from './product-name.tsx'

export interface LineRowProps {
  line: EditorLine
  position: number
  amount: LineTotals | undefined
  priceMode: 'exclusive' | 'inclusive'
  isRegistered: boolean
  hasOptions: boolean
  errors: ReadonlyMap<string, string> | undefined
  isFirst: boolean
  isLast: boolean
  onChange: (line: EditorLine) => void
  /** The same from its menu, after which the line has the focus. */
  onMenuChange: (line: EditorLine) => void
  onEnter: () => void
  onMove: (by: -1 | 1) => void
  onCopy: () => void
  onRemove: () => void
}

const shownAmount = (amount: LineTotals | undefined) => (amount ? amount.grossBeforeDiscountCents - amount.discountCents : null)

export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { line, position, amount, priceMode, errors, onChange, onEnter, onMove } = props
  const t = useT('lines')
  const [text, setText] = useState<'none' | 'there' | 'asked'>(line.description !== '' || line.kind === 'text' ? 'there' : 'none')
  const hasText = text !== 'none'
  const set = (change: Partial<EditorLine>) => onChange({ ...line, ...change })
  const of = (field: string) => t('lines:fieldOf', { field, position })
  const cents = shownAmount(amount)

  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault()
      onMove(event.key === 'ArrowUp' ? -1 : 1)
    }
    // In a choice that is open, Enter picks; in a text of many lines it breaks the line.
    const isChoosing = event.target instanceof HTMLInputElement && event.target.getAttribute('aria-expanded') === 'true'
    if (event.key === 'Enter' && !event.defaultPrevented && !isChoosing && event.target instanceof HTMLInputElement) {
      event.preventDefault()
      onEnter()
    }
  }
  const badge = line.alternativeGroup ? t('lines:alternativeOf', { group: line.alternativeGroup }) : line.isOptional ? t('lines:optional') : null
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys are those of the fields inside
    <div className={`line-grid line-row line-${line.kind} ${amount && !amount.isCounted ? 'line-open' : ''}`} data-line={line.key} role="group" aria-label={t('lines:lineOf', { position })} onKeyDown={keys}>
      <div className="line-name" data-field="name">
        {isPriced(line) ? (
          <ProductName line={line} label={of(t('lines:name'))} priceMode={priceMode} isRegistered={props.isRegistered} error={errors?.get('name')} onChange={onChange} />
        ) : (
          <TextInput aria-label={of(line.kind === 'section' ? t('lines:section') : t('lines:text'))} placeholder={line.kind === 'section' ? t('lines:section') : t('lines:text')} value={line.name} maxLength={200} error={errors?.get('name')} onChange={(event) => set({ name: event.currentTarget.value })} />
        )}
        {badge ? (
          <div className="row line-badges">
            <span className="line-badge">{badge}</span>
            {line.isOptional ? (
              <label className="small row line-choose">
                <input type="checkbox" checked={line.isSelected} onChange={(event) => set({ isSelected: event.currentTarget.checked })} /> {t('lines:preselected')}
              </label>
            ) : null}
          </div>
        ) : null}
        {hasText && line.kind !== 'section' ? (
          <Textarea className="line-description" autoFocus={text === 'asked'} aria-label={of(t('lines:description'))} placeholder={t('lines:description')} rows={1} maxLength={2000} value={line.description} error={errors?.get('description')} onChange={(event) => set({ description: event.currentTarget.value })} />
        ) : null}
      </div>
      {isPriced(line) ? (
        <>
          <QuantityInput className="line-quantity" aria-label={of(t('lines:quantity'))} value={line.quantity} error={errors?.get('quantity')} onChange={(quantity) => set({ quantity })} />
          <Select className="line-unit" aria-label={of(t('lines:unit'))} data={units.map((unit) => ({ value: unit, label: phraseOr(`lines:units.${unit}`, unit) }))} value={line.unit} allowDeselect={false} comboboxProps={{ width: 'max-content', position: 'bottom-start' }} onChange={(unit) => set({ unit: (unit ?? 'each') as Unit })} />
          <MoneyInput className="line-price" aria-label={of(t('lines:price'))} value={line.unitPriceCents} error={errors?.get('unitPriceCents')} onChange={(price) => set({ unitPriceCents: price ?? 0 })} />
          <DiscountInput className="line-discount" label={of(t('lines:discount'))} value={line.discount} onChange={(discount) => set({ discount })} />
          <Select
            className="line-gst"
            aria-label={of(t('lines:gst'))}
            data={gstCodes.map((code) => ({ value: code, label: phraseOr(`lines:gstCodes.${code}`, code) }))}
            value={line.gstCode}
            allowDeselect={false}
            disabled={!props.isRegistered}
            comboboxProps={{ width: 'max-content', position: 'bottom-end' }}
            onChange={(code) => set({ gstCode: (gstCodes.find((known) => known === code) ?? 'GST') })}
          />
          <div className="line-amount end tabular">{cents === null ? '–' : <Money cents={cents} />}</div>
        </>
      ) : null}
      <LineMenu {...props} hasText={hasText} onText={() => setText('asked')} />
    </div>
  )
})

function LineMenu({ line, position, hasOptions, isFirst, isLast, onMenuChange, onMove, onCopy, onRemove, hasText, onText }: LineRowProps & { hasText: boolean; onText: () => void }) {
  const t = useT('lines')
  return (
    <div className="line-menu">
      {/* Whatever is chosen says itself where the focus goes. */}
      <Menu position="bottom-end" withInitialFocusPlaceholder={false} returnFocus={false}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" c="inherit" size="lg" aria-label={t('lines:menuOf', { position })}>
            <Icon name="more" size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {hasText ? null : <Menu.Item onClick={onText}>{t('lines:addDescription')}</Menu.Item>}
          {hasOptions && isPriced(line) ? (
            <Menu.Item onClick={() => onMenuChange({ ...line, isOptional: !line.isOptional, alternativeGroup: null, isSelected: line.isOptional })}>{line.isOptional ? t('lines:makeFixed') : t('lines:makeOptional')}</Menu.Item>
          ) : null}
          {hasOptions && line.alternativeGroup ? <Menu.Item onClick={() => onMenuChange({ ...line, alternativeGroup: null, isSelected: true })}>{t('lines:makeFixed')}</Menu.Item> : null}
          <Menu.Item onClick={onCopy}>{t('lines:copy')}</Menu.Item>
          <Menu.Item disabled={isFirst} onClick={() => onMove(-1)}>
            {t('lines:moveUp')}
          </Menu.Item>
          <Menu.Item disabled={isLast} onClick={() => onMove(1)}>
            {t('lines:moveDown')}
          </Menu.Item>
          <Menu.Item color="red" onClick={onRemove}>
            {t('lines:remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
