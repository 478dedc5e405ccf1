import { ActionIcon } from '@mantine/core'
import { useWindowScroll } from '@mantine/hooks'
import { useT } from '../i18n/i18n.ts'
import { Icon } from '../ui/icon.tsx'

const shownAfterPx = 200

export function ScrollTop() {
  const t = useT('shell')
  const [{ y }] = useWindowScroll()
  if (y <= shownAfterPx) return null
  return (
    <ActionIcon className="scroll-top no-print" size={42} radius="xl" aria-label={t('shell:scrollTop')} onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}>
      <span className="turn-up">
        <Icon name="down" size={22} />
      </span>
    </ActionIcon>
  )
}
