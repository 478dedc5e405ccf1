import { Button } from '@mantine/core'
import { useId, useState } from 'react'
import { useT } from '../core/i18n/i18n.ts'

/** Longer texts are folded on the screen; on paper everything stands. */
const longText = 700

export function Terms({ text }: { text: string }) {
  const t = useT('service')
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > longText || text.split('\n').length > 10
  return (
    <section className="letter-terms" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{t('service:terms.title')}</h3>
      <div id={id} className={isLong && !isOpen ? 'letter-folded' : ''}>
        <p className="letter-prose small">{text}</p>
      </div>
      {isLong ? (
        <Button
          variant="subtle"
          size="compact-sm"
          className="no-print"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('service:terms.less') : t('service:terms.more')}
        </Button>
      ) : null}
    </section>
  )
}
