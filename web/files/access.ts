import {
  attachmentNouns,
  type Attachment,
  type AttachmentNoun,
  isOpenState,
  isPictureType,
} from '../../contract/files.ts'
import { type NounName, nouns } from '../../contract/nouns.ts'
import { useMay } from '../core/api/can.ts'

/** A record that files hang on. */
export interface Owner {
  noun: AttachmentNoun
  guid: string
}

export const hasFiles = (noun: NounName): noun is AttachmentNoun => attachmentNouns.some((name) => name === noun)

/** What the caller may do with the files of records of a noun. */
export function useFileRights(noun: AttachmentNoun): { mayRead: boolean; mayWrite: boolean } {
  const may = useMay()
  const { read, write } = nouns[noun].attachments
  return { mayRead: may(read), mayWrite: write.some((right) => may(right)) }
}

/** Whether a customer has a page of his own for such a record, where files can be shown. */
export const isSeenByCustomers = (noun: AttachmentNoun): boolean => 'isDocument' in nouns[noun]

/** Photos that can be looked at stand in the grid; everything else is a row, which has room to say why not. */
export const isPhoto = ({ file }: Pick<Attachment, 'file'>): boolean =>
  isPictureType(file.mime) && isOpenState(file.scan)
