import { fileTypeFromBuffer } from 'file-type'
import { invalid } from '../../contract/core/errors.ts'
import { fileSentences, type FileType, isFileType } from '../../contract/files.ts'

/** Pictures of telephones that few browsers show. */
const isHeic = (mime: string) => /^image\/hei[cf]/.test(mime)
/** Texts that can be told by their beginning: a drawing with a prologue is a text like any other. */
const textual = new Set([
  'application/xml',
  'image/svg+xml',
  'text/vcard',
  'text/calendar',
  'text/vtt',
  'application/x-subrip',
])

/** Programs within a document of Office: their part has this name in the directory of the file, which is not packed. */
const macros = Buffer.from('vbaProject.bin')

/** What a file is by its bytes; its name only tells a table from other texts. */
export async function typeOf(bytes: Uint8Array, name: string): Promise<FileType> {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined)
  if (found && isHeic(found.mime)) throw invalid('file', fileSentences.heic)
  if (found && isFileType(found.mime) && !(isPacked(found.mime) && Buffer.from(bytes).includes(macros)))
    return found.mime
  // A moving PNG is a PNG.
  if (found?.mime === 'image/apng') return 'image/png'
  if ((!found || textual.has(found.mime)) && isText(bytes))
    return /\.csv$/i.test(name.trim()) ? 'text/csv' : 'text/plain'
  throw invalid('file', fileSentences.type)
}

const isPacked = (mime: FileType) => mime.startsWith('application/vnd.openxmlformats')

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
