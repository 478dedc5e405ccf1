import type { AutomaticTables } from './schema-automatic.ts'
import type { ActionTables } from './schema-actions.ts'
import type { BatchTables } from './schema-batches.ts'
import type { BooksTables } from './schema-books.ts'
import type { SettlingTables } from './schema-settling.ts'
import type { BusinessTables } from './schema-business.ts'
import type { EmailTemplateTables } from './schema-email-templates.ts'
import type { EmailTables } from './schema-emails.ts'
import type { EventTables } from './schema-events.ts'
import type { FileTables } from './schema-files.ts'
import type { GroundTables } from './schema-ground.ts'
import type { ImportTables } from './schema-imports.ts'
import type { NegotiationTables } from './schema-negotiation.ts'
import type { HireTables } from './schema-hire.ts'
import type { HolidayTables } from './schema-holidays.ts'
import type { JobTables } from './schema-jobs.ts'
import type { OrderTables } from './schema-orders.ts'
import type { ReminderTables } from './schema-reminders.ts'
import type { OptionTables } from './schema-options.ts'
import type { QuoteTemplateTables } from './schema-quote-templates.ts'
import type { RequestTables } from './schema-requests.ts'
import type { SeriesTables } from './schema-series.ts'
import type { StatementTables } from './schema-statements.ts'
import type { TagTables } from './schema-tags.ts'
import type { ThemeTables } from './schema-themes.ts'
import type { WebhookTables } from './schema-webhooks.ts'

/** Every table, in the names the code uses; the database has the same in snake_case. */
export interface DB
  extends
    ActionTables,
    GroundTables,
    AutomaticTables,
    BusinessTables,
    BooksTables,
    BatchTables,
    SettlingTables,
    ImportTables,
    OptionTables,
    HireTables,
    HolidayTables,
    JobTables,
    OrderTables,
    NegotiationTables,
    EmailTables,
    EventTables,
    FileTables,
    EmailTemplateTables,
    StatementTables,
    TagTables,
    ThemeTables,
    WebhookTables,
    SeriesTables,
    QuoteTemplateTables,
    ReminderTables,
    RequestTables {}
