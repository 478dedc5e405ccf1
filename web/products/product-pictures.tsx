import { Button, TextInput } from '@mantine/core'
import { useRef, useState, type KeyboardEvent } from 'react'
import { maxImages, productsApi, type Product } from '../../contract/products.ts'
import { useCan } from '../core/api/can.ts'
import { useRun } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { toast } from '../core/ui/toast.tsx'
import { FileThumb } from '../files/file-thumb.tsx'
import { UploadRows } from '../files/upload-rows.tsx'
import { useSending } from '../files/use-uploads.ts'
import './products.css'

type Image = Product['images'][number]
const sent = (images: readonly Image[]) => images.map(({ fileGuid, alt }) => ({ fileGuid, alt }))
const moved = (images: readonly Image[], from: number, to: number) => {
  const next = [...images]
  const [one] = next.splice(from, 1)
  if (one) next.splice(to, 0, one)
  return next
}

/** The pictures of a product: added, ordered, described and taken away; the first one stands in lists. */
export function ProductPictures({ product }: { product: Product }) {
  const t = useT('products', 'files', 'common')
  const f = useFormat()
  const text = useErrorText()
  const run = useRun()
  const mayWrite = useCan(productsApi.setImages)
  const chooser = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const dragged = useRef<number | null>(null)
  /** As ordered here, until that version of the product is read: a late answer of an older one changes nothing. */
  const [mine, setMine] = useState<{ of: string; version: number; until: number; images: readonly Image[] } | null>(
    null,
  )
  const { guid } = product
  const { version, images } = mine?.of === guid && product.version < mine.until ? mine : product
  const { sending, ...uploads } = useSending(async (fileGuid) => {
    await run(productsApi.addImages, { guid, images: [{ fileGuid }] })
  })
  const save = async (next: readonly Image[]) => {
    setMine({ of: guid, version, until: version + 1, images: next })
    try {
      const answer = (await run(productsApi.setImages, { guid, version, images: sent(next) })).product
      setMine({ of: guid, version: answer.version, until: answer.version, images: answer.images })
    } catch (error) {
      setMine(null)
      toast.error(text(error))
    }
  }
  const move = (from: number, to: number) => {
    if (to < 0 || to >= images.length || from === to) return
    void save(moved(images, from, to)).then(() =>
      list.current?.querySelectorAll<HTMLElement>('.product-picture')[to]?.querySelector<HTMLElement>('input')?.focus(),
    )
  }
  const press = (event: KeyboardEvent, index: number) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    move(index, index + (event.key === 'ArrowUp' ? -1 : 1))
  }
  const add =
    mayWrite && images.length < maxImages ? (
      <>
        <Button variant="light" leftSection={<Icon name="create" size={18} />} onClick={() => chooser.current?.click()}>
          {t('products:pictures.add')}
        </Button>
        <input
          ref={chooser}
          type="file"
          accept="image/jpeg,image/png,image/webp"
          multiple
          hidden
          aria-label={t('products:pictures.add')}
          onChange={(event) => {
            uploads.add([...(event.currentTarget.files ?? [])].slice(0, maxImages - images.length))
            event.currentTarget.value = ''
          }}
        />
      </>
    ) : null
  return (
    <div className="stack">
      {images.length === 0 && sending.length === 0 ? (
        <EmptyState
          title={t('products:pictures.none')}
          text={mayWrite ? t('products:pictures.noneText') : null}
          action={add}
        />
      ) : (
        <>
          <ul className="product-pictures" ref={list} aria-label={t('products:pictures.title')}>
            {images.map((image, index) => {
              const position = f.number(index + 1)
              return (
                // Dragging is one way to order them; the buttons and Alt with the arrows are the others.
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
                <li
                  key={image.fileGuid}
                  className="product-picture"
                  draggable={mayWrite}
                  onKeyDown={(event) => (mayWrite ? press(event, index) : undefined)}
                  onDragStart={() => {
                    dragged.current = index
                  }}
                  onDragOver={(event) => {
                    if (dragged.current !== null) event.preventDefault()
                  }}
                  onDrop={(event) => {
                    if (dragged.current === null) return
                    event.preventDefault()
                    event.stopPropagation()
                    move(dragged.current, index)
                    dragged.current = null
                  }}
                  onDragEnd={() => {
                    dragged.current = null
                  }}
                >
                  <FileThumb
                    guid={image.fileGuid}
                    hasThumb={image.hasThumb}
                    name={image.name}
                    text={image.alt ?? t('products:pictures.of', { name: product.name, position })}
                    side={120}
                  />
                  <div className="product-picture-facts">
                    {index === 0 ? <span className="muted small">{t('products:pictures.first')}</span> : null}
                    {mayWrite ? (
                      <AltInput
                        key={image.alt}
                        label={t('products:pictures.alt', { position })}
                        alt={image.alt}
                        onSave={(alt) => save(images.map((one) => (one === image ? { ...one, alt } : one)))}
                      />
                    ) : (
                      <p className="no-margin">{image.alt}</p>
                    )}
                  </div>
                  {mayWrite ? (
                    <span className="row product-picture-tools">
                      <IconTool
                        icon="up"
                        label={t('products:pictures.up', { position })}
                        isDisabled={index === 0}
                        onClick={() => move(index, index - 1)}
                      />
                      <IconTool
                        icon="down"
                        label={t('products:pictures.down', { position })}
                        isDisabled={index === images.length - 1}
                        onClick={() => move(index, index + 1)}
                      />
                      <IconTool
                        icon="delete"
                        label={t('products:pictures.remove', { position })}
                        onClick={() => void save(images.filter((one) => one !== image))}
                      />
                    </span>
                  ) : null}
                </li>
              )
            })}
          </ul>
          <UploadRows sending={sending} uploads={uploads} />
          <div className="row">{add}</div>
          {mayWrite && images.length > 1 ? (
            <p className="muted small no-margin">{t('products:pictures.hint')}</p>
          ) : null}
        </>
      )}
    </div>
  )
}

interface AltProps {
  label: string
  alt: string | null
  onSave: (alt: string | null) => Promise<unknown>
}

/** What a picture shows, saved when the field is left. */
function AltInput({ label, alt, onSave }: AltProps) {
  const [typed, setTyped] = useState(alt ?? '')
  const end = () => {
    const next = typed.trim() || null
    if (next !== alt) void onSave(next)
  }
  return (
    <TextInput
      label={label}
      maxLength={200}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={end}
      onKeyDown={(event) => {
        if (event.key === 'Enter') end()
        if (event.key === 'Escape') setTyped(alt ?? '')
      }}
    />
  )
}
