import { Button } from '@mantine/core'
import { useT } from '../i18n/i18n.ts'
import { Dialog, DialogActions } from './dialog.tsx'
import type { StaleDialogProps } from './stale-dialog.tsx'

export function StaleVersions({ isOpen, rows, onKeepMine, onTakeTheirs, onClose }: StaleDialogProps) {
  const t = useT('common')
  const different = rows.filter((row) => row.isDifferent)
  return (
    <Dialog isOpen={isOpen} onClose={onClose} size="xl" title={t('common:stale.title')}>
      <div className="stack">
        <p className="no-margin">{t('common:stale.text')}</p>
        {different.length ? (
          <div className="table-scroll" role="region" aria-label={t('common:stale.title')} tabIndex={0}>
            <table className="plain-table">
              <thead>
                <tr>
                  <th scope="col">{t('common:stale.field')}</th>
                  <th scope="col">{t('common:stale.mine')}</th>
                  <th scope="col">{t('common:stale.theirs')}</th>
                </tr>
              </thead>
              <tbody>
                {different.map((row) => (
                  <tr key={row.label}>
                    <th scope="row">{row.label}</th>
                    <td>{row.mine}</td>
                    <td>{row.theirs}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ) : null}
        <DialogActions>
          <Button variant="default" onClick={onTakeTheirs}>
            {t('common:stale.takeTheirs')}
          </Button>
          <Button onClick={onKeepMine}>{t('common:stale.keepMine')}</Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
