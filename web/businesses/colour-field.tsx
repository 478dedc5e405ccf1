import { ColorInput } from '@mantine/core'
import { useController, type Control } from 'react-hook-form'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { contrast, shadesOf } from '../core/theme/colours.ts'
import { Icon } from '../core/ui/icon.tsx'
import type { BusinessValues, SentBusiness } from './business-values.ts'

const swatches = ['#7367F0', '#0D9394', '#2E7D32', '#B25E00', '#C2185B', '#1565C0', '#5D596C']
/** WCAG AA for text of normal size. */
const enough = 4.5
const isHex = (value: string) => /^#[0-9a-fA-F]{6}$/.test(value)

/** The colour of documents, mails and the customer's pages, with what it means for those who read. */
export function ColourField({ control }: { control: Control<BusinessValues, unknown, SentBusiness> }) {
  const t = useT('setup')
  const f = useFormat()
  const {
    field: { ref, value, onChange, onBlur },
    fieldState,
  } = useController({ control, name: 'primaryColour' })
  const ratio = isHex(value) ? contrast(value, '#ffffff') : null
  const isGood = ratio !== null && ratio >= enough
  const shown = isHex(value) ? value : '#ffffff'
  return (
    <div className="stack">
      <ColorInput
        ref={ref}
        label={t('setup:business.colour')}
        description={t('setup:business.colourHint')}
        format="hex"
        fixOnBlur={false}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        swatches={swatches}
        swatchesPerRow={7}
        error={fieldState.error?.message}
        eyeDropperButtonProps={{ 'aria-label': t('setup:business.pickColour') }}
      />
      <div
        className="brand-sample"
        style={{ '--sample': shown, '--sample-filled': shadesOf(shown)[7] } as React.CSSProperties}
      >
        <span className="colour-button">{t('setup:business.sampleButton')}</span>
        {ratio === null ? null : (
          <span className="row colour-verdict" data-good={isGood} aria-live="polite">
            <Icon name={isGood ? 'success' : 'info'} size={18} />
            <span>
              {t(isGood ? 'setup:business.contrastGood' : 'setup:business.contrastLow', {
                ratio: f.number(Math.round(ratio * 10) / 10),
              })}
            </span>
          </span>
        )}
      </div>
    </div>
  )
}
