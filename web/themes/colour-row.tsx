import { Button, ColorInput } from '@mantine/core'
import { type Control, useController, useWatch } from 'react-hook-form'
import { enoughContrast, leastContrast, nearestShade } from '../../contract/contrast.ts'
import { dress, groundsOf, inked, type Scheme, type ThemeColour } from '../../contract/dress.ts'
import type { ThemeInput } from '../../contract/themes.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import { areColours, colourText, type ThemeValues } from './theme-fields.ts'

export type ThemeControl = Control<ThemeValues, unknown, ThemeInput>

interface RowProps {
  control: ThemeControl
  scheme: Scheme
  name: ThemeColour
  isDisabled: boolean
  onChosen?: (value: string) => void
}

const isInked = (name: ThemeColour) => inked.some((one) => one === name)

/**
 * A colour, how well it is read on both grounds, and the nearest one that is. What was typed stays when the field is
 * left: to put the last colour back, as the field would, took the new one from whoever was quick.
 */
export function ColourRow({ control, scheme, name, isDisabled, onChosen }: RowProps) {
  const t = useT('themes')
  const {
    field: { ref, value, onChange, onBlur },
    fieldState,
  } = useController({ control, name: `${scheme}.${name}` })
  const colours = useWatch({ control, name: scheme })
  const whole = areColours(colours)
  const grounds = groundsOf(colours)
  const ratio = whole && isInked(name) ? leastContrast(value, grounds) : null
  const isWeak = ratio !== null && ratio < enoughContrast
  const better = isWeak ? nearestShade(value, grounds) : null
  return (
    <div className="theme-colour">
      <ColorInput
        ref={ref}
        name={`${scheme}.${name}`}
        label={colourText(name)}
        format="hex"
        fixOnBlur={false}
        value={value}
        onChange={(typed) => {
          const colour = /^[\da-f]{6}$/i.test(typed) ? `#${typed}` : typed
          onChange(colour)
          onChosen?.(colour)
        }}
        onBlur={onBlur}
        disabled={isDisabled}
        error={fieldState.error?.message}
        eyeDropperButtonProps={{ 'aria-label': t('themes:pick') }}
      />
      {ratio === null ? null : (
        <span className="theme-ratio" data-weak={isWeak} aria-live="polite">
          <Icon name={isWeak ? 'warning' : 'success'} size={16} />
          <bdi dir="ltr" className="tabular">
            {t('themes:ratio', { ratio: ratio.toFixed(2) })}
          </bdi>
        </span>
      )}
      {better && !isDisabled ? (
        <Button variant="light" size="compact-sm" onClick={() => onChange(better)}>
          {t('themes:use', { colour: better })}
        </Button>
      ) : null}
      {isWeak && !better ? <span className="muted small">{t('themes:noShade')}</span> : null}
      {name === 'primary' && whole ? <Sample colours={colours} /> : null}
    </div>
  )
}

/** A button as it will be. */
function Sample({ colours }: { colours: ThemeValues['light'] }) {
  const t = useT('themes')
  const { button, buttonText } = dress({ light: colours, dark: colours, radius: 6, font: 'system' }).light
  return (
    <span className="theme-button" style={{ background: button, color: buttonText }}>
      {t('themes:sample.button')}
    </span>
  )
}
