import { Button } from '@mantine/core'
import type { JobDefaults } from '../../contract/job-types.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Dialog, DialogActions } from '../core/ui/dialog.tsx'

interface JobDialogProps {
  defaults: JobDefaults
  /** How many lines there are already. */
  count: number
  isReplaceable: boolean
  onAdd: () => void
  onReplace: () => void
  onClose: () => void
}

/** Where there are lines already: whether those of the job come below them or in their place. */
export function JobDialog({ defaults, count, isReplaceable, onAdd, onReplace, onClose }: JobDialogProps) {
  const t = useT('lines')
  const brought = t('lines:job.lines', { count: defaults.lines.length })
  const text = isReplaceable ? 'lines:job.askText' : 'lines:job.askAdd'
  return (
    <Dialog title={t('lines:job.ask', { name: defaults.name })} onClose={onClose}>
      <p>{t(text, { brought, there: t('lines:job.lines', { count }) })}</p>
      <DialogActions>
        <Button variant="subtle" onClick={onClose}>
          {t('lines:job.keep')}
        </Button>
        {isReplaceable ? (
          <Button variant="default" onClick={onReplace}>
            {t('lines:job.replace')}
          </Button>
        ) : null}
        <Button onClick={onAdd} data-autofocus>
          {t('lines:job.add')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
