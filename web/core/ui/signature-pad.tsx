import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState, type PointerEvent } from 'react'
import { useT } from '../i18n/i18n.ts'

/** `png` is base64 without the `data:` head. */
export type SignatureValue = { method: 'typed'; text: string } | { method: 'drawn'; png: string }

const width = 560
const height = 180

function Canvas({ onDrawn }: { onDrawn: (png: string | null) => void }) {
  const t = useT('common')
  const canvas = useRef<HTMLCanvasElement>(null)
  const isDown = useRef(false)
  const hasInk = useRef(false)
  useEffect(() => {
    const pen = canvas.current?.getContext('2d')
    if (!pen) return
    // Ink is dark on white in both themes: the picture ends up on paper.
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, width, height)
    Object.assign(pen, { strokeStyle: '#2F2B3D', lineWidth: 2.5, lineCap: 'round', lineJoin: 'round' })
  }, [])
  const at = (event: PointerEvent<HTMLCanvasElement>): [number, number] => {
    const box = event.currentTarget.getBoundingClientRect()
    return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height]
  }
  const finish = () => {
    if (!isDown.current) return
    isDown.current = false
    if (hasInk.current) onDrawn(canvas.current?.toDataURL('image/png').split(',')[1] ?? null)
  }
  const clear = () => {
    canvas.current?.getContext('2d')?.fillRect(0, 0, width, height)
    hasInk.current = false
    onDrawn(null)
  }
  return (
    <div className="stack signature-draw">
      <canvas
        ref={canvas}
        width={width}
        height={height}
        className="signature-canvas"
        role="img"
        aria-label={t('common:signature.canvas')}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          isDown.current = true
          const pen = event.currentTarget.getContext('2d')
          pen?.beginPath()
          pen?.moveTo(...at(event))
        }}
        onPointerMove={(event) => {
          if (!isDown.current) return
          const pen = event.currentTarget.getContext('2d')
          pen?.lineTo(...at(event))
          pen?.stroke()
          hasInk.current = true
        }}
        onPointerUp={finish}
        onPointerCancel={finish}
      />
      <div className="row spread">
        <span className="muted small">{t('common:signature.hint')}</span>
        <Button variant="subtle" size="compact-sm" onClick={clear}>
          {t('common:signature.clear')}
        </Button>
      </div>
    </div>
  )
}

/** A signature typed or drawn. Typing is the way for keyboards and screen readers. */
export function SignaturePad({
  onChange,
  name = '',
  error,
}: {
  onChange: (value: SignatureValue | null) => void
  name?: string
  error?: string | null
}) {
  const t = useT('common')
  const [method, setMethod] = useState<'typed' | 'drawn'>('typed')
  const [text, setText] = useState(name)
  // A name that is filled in already is a signature as soon as the form is sent.
  const announce = useEffectEvent(() => {
    if (name.trim()) onChange({ method: 'typed', text: name.trim() })
  })
  useEffect(() => announce(), [])
  const choose = (next: string) => {
    const picked = next === 'drawn' ? 'drawn' : 'typed'
    setMethod(picked)
    onChange(picked === 'typed' && text.trim() ? { method: 'typed', text: text.trim() } : null)
  }
  const type = (typed: string) => {
    setText(typed)
    onChange(typed.trim() ? { method: 'typed', text: typed.trim() } : null)
  }
  return (
    <fieldset className="signature">
      <legend>{t('common:signature.legend')}</legend>
      <SegmentedControl
        value={method}
        onChange={choose}
        aria-label={t('common:signature.method')}
        data={[
          { value: 'typed', label: t('common:signature.typed') },
          { value: 'drawn', label: t('common:signature.drawn') },
        ]}
      />
      {method === 'typed' ? (
        <>
          <TextInput
            label={t('common:signature.name')}
            value={text}
            maxLength={120}
            autoComplete="name"
            onChange={(event) => type(event.currentTarget.value)}
          />
          <p className="signature-typed" aria-hidden="true">
            {text || '\u00a0'}
          </p>
        </>
      ) : (
        <Canvas onDrawn={(png) => onChange(png ? { method: 'drawn', png } : null)} />
      )}
      {error ? (
        <p className="field-error" role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
