import { Checkbox, Radio } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import type { Format } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { DocumentLines } from '../lines/document-lines.tsx'
import { OfferLines } from './offer-lines.tsx'
import { isChoice, proposedChoice, type ServiceLine } from './shown-lines.ts'

export const radioName = (group: string) => `alternative-${group}`

export type ChooseLine = (line: ServiceLine) => void

interface ChoiceProps {
  line: ServiceLine
  isChosen: boolean
  isOpen: boolean
  onChoose: ChooseLine | undefined
}

/** Once it is settled, a tick says what was chosen. */
function Settled({ isChosen }: { isChosen: boolean }) {
  const t = useT('service')
  return (
    <span className="line-mark">
      {isChosen ? <Icon name="check" size={20} /> : null}
      <span className="visually-hidden">{isChosen ? t('service:quote.chosen') : t('service:quote.notChosen')}</span>
    </span>
  )
}

/** The whole first cell is the target, not the small box alone. */
function Choice({ line, isChosen, isOpen, onChoose }: ChoiceProps) {
  if (!isOpen) return <Settled isChosen={isChosen} />
  const common = { checked: isChosen, 'aria-label': line.name, onChange: () => onChoose?.(line) }
  return (
    <label className="line-choice">
      {line.alternativeGroup === null ? (
        <Checkbox {...common} />
      ) : (
        <Radio {...common} name={radioName(line.alternativeGroup)} value={line.guid} />
      )}
    </label>
  )
}

/** The lines of a quote; while it is open its options and alternatives can be chosen. */
export function QuoteLines({
  quote,
  chosen,
  isOpen,
  hasAllParts = false,
  format,
  onChoose,
  below,
}: {
  quote: Pick<ServiceQuote, 'lines' | 'priceMode'>
  chosen: ReadonlySet<string>
  isOpen: boolean
  /** Also parts of bundles that the customer does not see. */
  hasAllParts?: boolean
  format: Format
  onChoose?: ChooseLine
  /** On its customer's page: what he can do with a line, and what was said of it. */
  below?: ((line: ServiceLine) => ReactNode) | undefined
}) {
  const t = useT('service')
  const hasChoices = quote.lines.some(isChoice)
  const proposed = proposedChoice(quote.lines)
  const choice = (line: ServiceLine) =>
    isChoice(line) ? <Choice line={line} isChosen={chosen.has(line.guid)} isOpen={isOpen} onChoose={onChoose} /> : null
  return (
    <>
      {hasChoices && isOpen ? <p className="letter-hint no-print">{t('service:quote.choose')}</p> : null}
      {below ? (
        <OfferLines quote={quote} chosen={chosen} isOpen={isOpen} format={format} choice={choice} below={below} />
      ) : (
        <DocumentLines
          lines={quote.lines}
          priceMode={quote.priceMode}
          hasAllParts={hasAllParts}
          format={format}
          isChosen={(line) => chosen.has(line.guid)}
          {...(isOpen ? { isProposed: (line) => proposed.has(line.guid) } : {})}
          choice={(line) => choice(line as ServiceLine)}
        />
      )}
    </>
  )
}
