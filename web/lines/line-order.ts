import { newLine, type EditorLine } from './line-state.ts'

/** Moves, drops and adds keep one line at least, so that there is always somewhere to type. */
export function moved(lines: readonly EditorLine[], index: number, by: -1 | 1): EditorLine[] {
  const to = index + by
  const next = [...lines]
  const [line] = next.splice(index, 1)
  if (!line || to < 0 || to >= lines.length) return [...lines]
  next.splice(to, 0, line)
  return next
}
export const without = (lines: readonly EditorLine[], index: number): EditorLine[] => {
  const next = lines.filter((_, i) => i !== index)
  return next.length ? next : [newLine()]
}
export const inserted = (lines: readonly EditorLine[], index: number, line: EditorLine): EditorLine[] => [
  ...lines.slice(0, index),
  line,
  ...lines.slice(index),
]
