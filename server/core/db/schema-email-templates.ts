import type { TemplateLanguages, TemplateProof, TemplateStatus } from '../../../contract/email-templates.ts'
import type { MessageCategory, MessagePurpose, TemplateKind } from '../../../contract/messages.ts'
import type { Generated } from 'kysely'
import type { Record } from './schema-business.ts'
import type { Computed, Instant, InstantOrNull, Json, JsonOrNull, Optional } from './schema-kinds.ts'

interface Templates extends Record {
  businessGuid: string
  kind: TemplateKind
  name: string
  category: Generated<MessageCategory>
  purpose: MessagePurpose
  status: Computed<TemplateStatus>
  isDefault: Generated<boolean>
  activeVersionGuid: Optional<string>
  searchText: Computed<string>
}
/** Immutable but for what was found out about it. */
interface TemplateVersions {
  guid: string
  templateGuid: string
  number: number
  languages: Json<TemplateLanguages>
  isFactsOnly: Generated<boolean>
  proof: JsonOrNull<TemplateProof>
  activatedAt: InstantOrNull
  createdAt: Instant
  createdBy: Optional<string>
}

export interface EmailTemplateTables {
  templates: Templates
  templateVersions: TemplateVersions
}
