import { useT } from '../core/i18n/i18n.ts'
import { Icon } from '../core/ui/icon.tsx'
import './tags.css'

/** One tag, with a button that takes it away where it may be. */
export function Tag({ tag, onRemove }: { tag: string; onRemove?: () => void }) {
  const t = useT('record')
  return (
    <span className="tag">
      <bdi>{tag}</bdi>
      {onRemove ? (
        <button
          type="button"
          className="tag-remove no-print"
          aria-label={t('record:tags.remove', { tag })}
          title={t('record:tags.remove', { tag })}
          onClick={onRemove}
        >
          <Icon name="close" size={14} />
        </button>
      ) : null}
    </span>
  )
}
