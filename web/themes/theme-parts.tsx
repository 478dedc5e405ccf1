import { enoughContrast, leastContrast } from '../../contract/contrast.ts'
import { groundsOf, inked, type Look, type Scheme, themeColours } from '../../contract/dress.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { colourText } from './theme-fields.ts'
import './themes.css'

/** Colours beside each other. */
export const Swatches = ({ colours }: { colours: readonly string[] }) => (
  <span className="theme-swatches" aria-hidden="true">
    {colours.map((colour, i) => (
      // Two of them may be the same.
      <span key={`${i} ${colour}`} style={{ background: colour }} />
    ))}
  </span>
)

export function DefaultChip() {
  const t = useT('themes')
  return (
    <span className="chip" data-tone="primary">
      {t('themes:default')}
    </span>
  )
}

/** The colours of a scheme by their names, with how well they are read. */
export function ColourList({ look, scheme }: { look: Pick<Look, Scheme>; scheme: Scheme }) {
  const t = useT('themes')
  const colours = look[scheme]
  return (
    <ul className="theme-colours" aria-label={t(`themes:${scheme}`)}>
      {themeColours.map((name) => {
        const ratio = inked.some((one) => one === name) ? leastContrast(colours[name], groundsOf(colours)) : null
        const isWeak = ratio !== null && ratio < enoughContrast
        return (
          <li key={name}>
            <span className="theme-swatch" style={{ background: colours[name] }} />
            <span>{colourText(name)}</span>
            {ratio === null ? null : (
              <span className="theme-ratio" data-weak={isWeak}>
                <Icon name={isWeak ? 'warning' : 'success'} size={16} />
                <bdi dir="ltr" className="tabular">
                  {t('themes:ratio', { ratio: ratio.toFixed(2) })}
                </bdi>
              </span>
            )}
            <bdi dir="ltr" className="muted small tabular">
              {colours[name]}
            </bdi>
          </li>
        )
      })}
    </ul>
  )
}
