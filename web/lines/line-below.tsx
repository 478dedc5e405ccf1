import { useT } from '../core/i18n/i18n.ts'
import { useFormat } from '../core/i18n/format.ts'
import { Money } from '../core/ui/money.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import type { EditorLine } from './line-state.ts'
import './lines-below.css'

interface LineBelowProps {
  line: EditorLine
  position: number
  /** What each of them comes to, before discounts. */
  amounts: readonly number[]
}

/** What lies below a line: the parts of a bundle with their shares of its price, fees, products that come along. */
export function LineBelow({ line, position, amounts }: LineBelowProps) {
  const t = useT('lines')
  const f = useFormat()
  const { below } = line
  if (!below || below.children.length === 0) return null
  return (
    <div className="line-below">
      {below.showsParts === false ? <span className="line-badge quiet">{t('lines:seenAsOne')}</span> : null}
      <ul aria-label={t('lines:fieldOf', { field: t('lines:below'), position })}>
        {below.children.map((child, index) => (
          <li key={`${child.sourceKey} ${index}`}>
            <span>
              <bdi>{unbroken(child.name)}</bdi>
              {Number(child.quantity) === 1 ? null : (
                <span className="muted">{` × ${f.quantity(child.quantity)}`}</span>
              )}
            </span>
            <Money cents={amounts[index] ?? 0} />
          </li>
        ))}
      </ul>
    </div>
  )
}
