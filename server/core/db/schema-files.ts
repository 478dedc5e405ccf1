import type { ColumnType, Generated } from 'kysely'
import type { AttachmentNoun, ScanState } from '../../../contract/files.ts'
import type { Instant, InstantOrNull, Optional } from './schema-kinds.ts'

interface Files {
  guid: Generated<string>
  businessGuid: string
  name: string
  mime: string
  bytes: number
  sha256: string
  originalSha256: Optional<string>
  viewSha256: Optional<string>
  thumbSha256: Optional<string>
  width: Optional<number>
  height: Optional<number>
  takenAt: InstantOrNull
  lat: Optional<number>
  lng: Optional<number>
  scan: Generated<ScanState>
  isFromCustomer: Generated<boolean>
  createdAt: Instant
  createdBy: Optional<string>
}
interface Uploads {
  guid: Generated<string>
  businessGuid: string
  actorGuid: string
  clientKey: string
  fileName: string
  bytes: number
  takenAt: InstantOrNull
  fileGuid: Optional<string>
  createdAt: Instant
}
interface UploadParts {
  uploadGuid: string
  part: number
  bytes: ColumnType<Uint8Array, Uint8Array, never>
}
interface Attachments {
  guid: Generated<string>
  version: Generated<number>
  fileGuid: string
  ownerNoun: AttachmentNoun
  ownerGuid: string
  place: Optional<string>
  caption: Optional<string>
  forCustomer: Generated<boolean>
  detachedAt: InstantOrNull
  createdAt: Instant
  createdBy: Optional<string>
  updatedAt: Instant
  updatedBy: Optional<string>
}

interface LooseBytes {
  sha256: string
  since: Instant
}

export interface FileTables {
  files: Files
  uploads: Uploads
  uploadParts: UploadParts
  attachments: Attachments
  looseBytes: LooseBytes
}
