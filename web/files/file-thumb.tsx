import { useEffect, useRef, useState } from 'react'
import { useContentUrl } from './content-url.ts'
import { FileIcon } from './file-icon.tsx'

interface FileThumbProps {
  /** Of the file. */
  guid: string
  hasThumb: boolean
  name: string
  /** What is told of it to those who can't see it. */
  text: string
  side: number
}

/** A small picture of a file, fetched once it comes near the window: there may be two hundred. */
export function FileThumb({ guid, hasThumb, name, text, side }: FileThumbProps) {
  const box = useRef<HTMLSpanElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), { rootMargin: '200px' })
    if (box.current) watch.observe(box.current)
    return () => watch.disconnect()
  }, [])
  const { url } = useContentUrl({ guid, size: 'thumb' }, isNear && hasThumb)
  if (url) return <img src={url} alt={text} width={side} height={side} decoding="async" />
  return (
    <span ref={box}>
      <FileIcon name={name} />
      <span className="visually-hidden">{text}</span>
    </span>
  )
}
