import { TextInput, Textarea } from '@mantine/core'
import { memo, Suspense, use, useMemo, useState, type KeyboardEvent } from 'react'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import { isWriting, letterKeys, letterOf } from '../core/palette/keys.ts'
import { MoneyInput, QuantityInput } from '../core/ui/inputs.tsx'
import { Money } from '../core/ui/money.tsx'
import { DiscountInput } from './discount-input.tsx'
import { GstChoice, UnitChoice } from './line-choices.tsx'
import { LineMenu } from './line-menu.tsx'
import { HireDays } from './hire-days.tsx'
import { LineBelow } from './line-below.tsx'
import { LineQuestions } from './line-questions.tsx'
import { asksAgain } from './asks-again.ts'
import { FollowsCatalogue } from './catalogue-prices.ts'
import { amountOf, isPriced, type EditorLine } from './line-state.ts'
import { useLine, type LinesStore } from './lines-store.ts'
import { PriceReason } from './price-reason.tsx'
import { ProductName } from './product-name.tsx'
import { RangeFields } from './range-fields.tsx'

/** What a row asks of the editor around it; the same functions for every row and every change. */
export interface LineActions {
  /** Adds a line like this one below it, where typing goes on. */
  onEnter: (key: string) => void
  /** Enter in the name: of words of one's own, too, what is typed next is how many; else it adds a line. */
  onNamed: (key: string, presses: number) => void
  /** A product was chosen: what is typed next is how many of it. */
  onPicked: (key: string) => void
  /** Changes it from its menu, after which the line has the focus. */
  onMenuChange: (key: string, change: Partial<EditorLine>) => void
  onMove: (key: string, by: -1 | 1) => void
  onCopy: (key: string) => void
  onRemove: (key: string) => void
  /** Of its alternatives this one counts until the customer picks another. */
  onDefault: (key: string) => void
}

export interface LineRowProps {
  store: LinesStore
  lineKey: string
  actions: LineActions
  position: number
  priceMode: 'exclusive' | 'inclusive'
  isRegistered: boolean
  hasOptions: boolean
  isFirst: boolean
  isLast: boolean
}

const hasModifier = (event: KeyboardEvent) => event.ctrlKey || event.metaKey

const setsPrices = ['update', 'Quotes:Price'] as const
const fixedPrice = (reason: string) => ({ readOnly: true, title: reason, 'aria-description': reason })

/** Listens to its own line alone: a key in another row is none of its business. */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const line = useLine(props.store, props.lineKey)
  return line ? <Row {...props} line={line} /> : null
})

/** A line of hire, or a bundle that has one among its parts. */
const isHired = ({ kind, below }: EditorLine) =>
  kind === 'hire' || (kind === 'bundle' && below?.children.some((child) => child.kind === 'hire') === true)

/** Titles and texts take the whole width. */
const rowClass = ({ kind }: EditorLine) => (kind === 'section' || kind === 'text' ? `line-${kind}` : '')

function menuKindOf(line: EditorLine) {
  if (!isPriced(line)) return 'heading'
  if (line.alternativeGroup) return 'alternative'
  return line.isOptional ? 'optional' : 'fixed'
}

function Row({
  line,
  store,
  lineKey,
  actions,
  position,
  priceMode,
  isRegistered,
  hasOptions,
  isFirst,
  isLast,
}: LineRowProps & { line: EditorLine }) {
  const t = useT('lines')
  const [asked, setAsked] = useState<'no' | 'typing' | 'now'>('no')
  const hasText = asked !== 'no' || line.description !== '' || line.kind === 'text'
  const cells = useMemo(() => {
    const set = (change: Partial<EditorLine>) => store.change(lineKey, change)
    return {
      set,
      unit: (unit: EditorLine['unit']) => set({ unit }),
      gst: (gstCode: EditorLine['gstCode']) => set({ gstCode }),
      askText: () => setAsked('now'),
    }
  }, [store, lineKey])
  const { set } = cells
  const problems = line.problems ?? {}
  const followsCatalogue = use(FollowsCatalogue)
  const maySetPrices = useCan(setsPrices)
  const fixedBecause =
    line.productGuid === null || (!followsCatalogue && maySetPrices)
      ? null
      : t(followsCatalogue ? 'lines:catalogueLater' : 'lines:catalogueOnly')
  const of = (field: string) => t('lines:fieldOf', { field, position })
  const heading = line.kind === 'section' ? t('lines:section') : t('lines:text')
  const amount = useMemo(() => amountOf(line), [line])

  const toggle = () => {
    set({ isAsked: !line.isAsked })
  }
  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault()
      actions.onMove(lineKey, event.key === 'ArrowUp' ? -1 : 1)
    }
    const isLetter = !isWriting(event.target) && letterKeys.get() && !event.altKey
    if (line.asking && letterOf(event.nativeEvent) === 'o' && (isLetter || event.altKey) && !hasModifier(event)) {
      event.preventDefault()
      toggle()
    }
    // In a choice that is open, Enter picks; in a text of many lines it breaks the line.
    if (
      event.key === 'Enter' &&
      !event.defaultPrevented &&
      event.target instanceof HTMLInputElement &&
      !event.target.closest('.line-questions') &&
      event.target.getAttribute('aria-expanded') !== 'true'
    ) {
      event.preventDefault()
      if (event.target.matches('[data-field="name"] [role="combobox"]')) actions.onNamed(lineKey, 1)
      else actions.onEnter(lineKey)
    }
  }
  return (
    // The keys are those of the fields inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={['line-grid line-row', rowClass(line), amount && !amount.isCounted ? 'line-open' : ''].join(' ')}
      data-line={lineKey}
      role="group"
      aria-label={t('lines:lineOf', { position })}
      onKeyDown={keys}
    >
      <div className="line-name" data-field="name">
        {isPriced(line) ? (
          <ProductName
            store={store}
            lineKey={lineKey}
            name={line.name}
            productGuid={line.productGuid}
            label={t('lines:name')}
            spoken={of(t('lines:name'))}
            priceMode={priceMode}
            isRegistered={isRegistered}
            offersRange={hasOptions}
            error={problems['name']}
            onEnter={actions.onNamed}
            onPicked={actions.onPicked}
          />
        ) : (
          <TextInput
            label={heading}
            aria-label={of(heading)}
            placeholder={heading}
            value={line.name}
            maxLength={200}
            error={problems['name']}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
        )}
        {isHired(line) ? (
          <HireDays line={line} of={of} onChange={(days) => set({ ...days, ...asksAgain(line) })} />
        ) : null}
        {hasOptions && line.range && isPriced(line) ? (
          <RangeFields range={line.range} problems={problems} of={of} onChange={(range) => set({ range })} />
        ) : null}
        <Badges line={line} position={position} set={set} onDefault={() => actions.onDefault(lineKey)} />
        {hasText && line.kind !== 'section' ? (
          <Textarea
            className="line-description"
            autoFocus={asked === 'now'}
            label={t('lines:description')}
            aria-label={of(t('lines:description'))}
            placeholder={t('lines:description')}
            rows={1}
            maxLength={2000}
            value={line.description}
            error={problems['description']}
            // It stays while it is emptied.
            onFocus={() => setAsked('typing')}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
        ) : null}
      </div>
      {isPriced(line) ? (
        <>
          <QuantityInput
            className="line-quantity"
            label={t('lines:quantity')}
            aria-label={of(t('lines:quantity'))}
            value={line.quantity}
            error={problems['quantity']}
            onChange={(quantity) => set({ quantity, ...asksAgain(line) })}
          />
          <UnitChoice
            label={t('lines:unit')}
            spoken={of(t('lines:unit'))}
            quantity={line.quantity}
            value={line.unit}
            onChange={cells.unit}
          />
          <div className="line-price">
            <MoneyInput
              label={t('lines:price')}
              aria-label={of(t('lines:price'))}
              value={line.unitPriceCents}
              {...(fixedBecause === null ? {} : fixedPrice(fixedBecause))}
              error={problems['unitPriceCents']}
              onChange={(price) => set({ unitPriceCents: price ?? 0, isPriceManual: true, awaits: false, why: [] })}
            />
            {/* Told to those who touch the field, too: there is no hovering on a phone. */}
            {fixedBecause === null ? null : (
              <p className="line-why line-fixed" aria-hidden="true">
                {fixedBecause}
              </p>
            )}
            <PriceReason line={line} onCatalogue={() => set({ isPriceManual: false, awaits: true })} />
          </div>
          <DiscountInput
            className="line-discount"
            label={t('lines:discount')}
            spoken={of(t('lines:discount'))}
            value={line.discount}
            onChange={(discount) => set({ discount })}
          />
          <GstChoice
            label={t('lines:gst')}
            spoken={of(t('lines:gst'))}
            value={line.gstCode}
            isDisabled={!isRegistered || line.kind === 'bundle'}
            onChange={cells.gst}
          />
          <div className="line-amount end tabular">
            <span className="line-amount-label">{t('lines:amount')}</span>
            <Money cents={amount?.grossCents ?? null} />
            {amount?.discountCents ? (
              <p className="document-text">
                <Money cents={-amount.discountCents} />
              </p>
            ) : null}
          </div>
        </>
      ) : null}
      <LineMenu
        lineKey={lineKey}
        position={position}
        kind={menuKindOf(line)}
        hasOptions={hasOptions}
        hasText={hasText}
        range={line.range ? 'open' : line.quantity}
        streamGuid={line.revenueStreamGuid}
        isFirst={isFirst}
        isLast={isLast}
        actions={actions}
        onText={cells.askText}
      />
      {/* Its phrases come late the first time: whoever types in the row must not lose it meanwhile. */}
      <Suspense>
        <LineQuestions
          line={line}
          position={position}
          onAnswers={(answers) => set({ answers, ...asksAgain(line) })}
          onToggle={toggle}
        />
      </Suspense>
      <LineBelow line={line} position={position} amounts={amount?.below ?? []} />
    </div>
  )
}

interface BadgesProps {
  line: EditorLine
  position: number
  set: (change: Partial<EditorLine>) => void
  onDefault: () => void
}

/** What the customer may choose, and what counts until then. */
function Badges({ line, position, set, onDefault }: BadgesProps) {
  const t = useT('lines')
  if (line.alternativeGroup)
    return (
      <div className="row line-badges">
        <span className="line-badge">{t('lines:alternativeOf', { group: line.alternativeGroup })}</span>
        <label className="small row line-choose">
          <input
            type="radio"
            name={`default ${line.alternativeGroup}`}
            aria-label={t('lines:fieldOf', { field: t('lines:isDefault'), position })}
            checked={line.isSelected}
            onChange={onDefault}
          />
          {t('lines:isDefault')}
        </label>
      </div>
    )
  if (!line.isOptional) return null
  return (
    <div className="row line-badges">
      <span className="line-badge">{t('lines:optional')}</span>
      <label className="small row line-choose">
        <input
          type="checkbox"
          checked={line.isSelected}
          onChange={(event) => set({ isSelected: event.currentTarget.checked })}
        />
        {t('lines:preselected')}
      </label>
    </div>
  )
}
