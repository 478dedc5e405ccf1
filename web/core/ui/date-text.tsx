import { useFormat } from '../i18n/format.ts'

/** A day or an instant in the user's display format; the full instant stands in the title of a relative one. */
export function DateText({
  value,
  as = 'date',
}: {
  value: string | null | undefined
  as?: 'date' | 'time' | 'dateTime' | 'relative'
}) {
  const format = useFormat()
  if (!value) return <span className="muted">–</span>
  return (
    <time dateTime={value} className="nowrap" {...(as === 'relative' ? { title: format.dateTime(value) } : {})}>
      {format[as](value)}
    </time>
  )
}
