import { useEffect, useState } from 'react'
import { useFormat } from '../i18n/format.ts'

const second = 1000
const minute = 60 * second

/** The present moment for something that was at `instant`: anew each second at first, and then each minute. */
function useNow(instant: string | null): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (instant === null) return
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      timer = setTimeout(again, Date.now() - Date.parse(instant) < minute ? second : minute)
    }
    const again = () => {
      setNow(Date.now())
      wait()
    }
    wait()
    return () => clearTimeout(timer)
  }, [instant])
  return now
}

/** A day or an instant in the user's display format; the full instant stands in the title of a relative one. */
export function DateText({
  value,
  as = 'date',
}: {
  value: string | null | undefined
  as?: 'date' | 'time' | 'dateTime' | 'relative'
}) {
  const format = useFormat()
  const now = useNow(as === 'relative' && value ? value : null)
  if (!value) return <span className="muted">–</span>
  return (
    <time dateTime={value} className="nowrap" {...(as === 'relative' ? { title: format.dateTime(value) } : {})}>
      {as === 'relative' ? format.relative(value, now) : format[as](value)}
    </time>
  )
}
