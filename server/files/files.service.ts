import type { filesApi } from '../../contract/files.ts'
import type { Handlers } from '../core/ctx.ts'
import { attach, attachments, detach, restoreAttachment, updateAttachment } from './attachments.ts'
import { content } from './content.ts'
import { nearby } from './nearby.ts'
import { addPart, create, finish } from './uploads.ts'

export { attachAnswers, carryFiles, namesOfFiles } from './answered.ts'
export { filesToBackUp, missingFiles, putBack } from './backed-up.ts'
export { usablePictures } from './content.ts'
export { checkDamaged, storedFiles } from './damaged.ts'
export { keepMailed } from './mailed.ts'
export { moveFiles } from './move.ts'
export { receivePhoto } from './photos.ts'
export { allNamed } from './references.ts'
export { scanUnchecked } from './scan.ts'
export { sharedFiles } from './shared.ts'
export { viewsQueue } from './views.ts'

/** Documents and photos: they arrive, hang on records, and are read by whoever reads the record. */
export const files: Handlers<typeof filesApi> = {
  create,
  part: addPart,
  finish,
  content,
  attachments,
  nearby,
  attach,
  updateAttachment,
  detach,
  restoreAttachment,
}
