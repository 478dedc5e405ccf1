import { Skeleton } from '@mantine/core'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'

/** Four grey squares. */
export function LoadingSquares() {
  const t = useT('files')
  return (
    <div className="row file-squares" role="status" aria-label={t('files:loading')}>
      {[1, 2, 3, 4].map((square) => (
        <Skeleton key={square} height={96} width={96} radius={6} />
      ))}
    </div>
  )
}

export function FilesLoading() {
  const t = useT('files')
  return (
    <Card title={t('files:title')}>
      <LoadingSquares />
    </Card>
  )
}
