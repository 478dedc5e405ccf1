import type { FileCustomer } from '../../../contract/customer-file-rows.ts'
import type { ImportSource, Mapping } from '../../../contract/customer-files.ts'
import type { ImportStatus } from '../../../contract/imports.ts'
import type { Generated } from 'kysely'
import type { Instant, InstantOrNull, Json, JsonOrNull, Optional } from './schema-kinds.ts'

interface CustomerImports {
  guid: string
  /** Whose list of customers it went into. */
  businessGuid: string
  /** The business that took it in, whose terms of payment it sets. */
  termsGuid: string
  fileName: string
  sha256: string
  source: ImportSource
  onDuplicate: 'skip' | 'fill'
  mapping: Json<Mapping>
  status: Generated<ImportStatus>
  total: number
  staged: Generated<number>
  created: Generated<number>
  filled: Generated<number>
  skipped: Generated<number>
  archived: Optional<number>
  failure: Optional<string>
  createdAt: Instant
  createdBy: Optional<string>
  finishedAt: InstantOrNull
  undoneAt: InstantOrNull
  undoneBy: Optional<string>
}
interface CustomerImportFiles {
  importGuid: string
  content: Uint8Array
}
interface CustomerImportRows {
  importGuid: string
  row: number
  customer: JsonOrNull<FileCustomer>
  customerGuid: Optional<string>
  isCreated: Generated<boolean>
  filled: JsonOrNull<Record<string, unknown>>
}
export interface ImportTables {
  customerImports: CustomerImports
  customerImportFiles: CustomerImportFiles
  customerImportRows: CustomerImportRows
}
