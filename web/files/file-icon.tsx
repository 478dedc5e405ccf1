import {
  IconFile,
  IconFileSpreadsheet,
  IconFileText,
  IconFileTypePdf,
  IconPhoto,
  IconPresentation,
} from '@tabler/icons-react'

const drawn = {
  pdf: IconFileTypePdf,
  docx: IconFileText,
  txt: IconFileText,
  xlsx: IconFileSpreadsheet,
  csv: IconFileSpreadsheet,
  pptx: IconPresentation,
  jpg: IconPhoto,
  jpeg: IconPhoto,
  png: IconPhoto,
  webp: IconPhoto,
} as const
const isDrawn = (ending: string): ending is keyof typeof drawn => Object.hasOwn(drawn, ending)

/** What kind of file it is, by its name's ending; the name beside it says the same. */
export function FileIcon({ name, size = 28 }: { name: string; size?: number }) {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  const Drawn = isDrawn(ending) ? drawn[ending] : IconFile
  return <Drawn size={size} stroke={1.5} aria-hidden="true" focusable="false" />
}
