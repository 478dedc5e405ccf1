import { Button } from '@mantine/core'
import { useT } from '../i18n/i18n.ts'
import { Icon } from './icon.tsx'

export function PrintButton() {
  const t = useT('common')
  return (
    <Button
      variant="default"
      className="no-print"
      leftSection={<Icon name="print" size={18} />}
      onClick={() => window.print()}
    >
      {t('common:print')}
    </Button>
  )
}
