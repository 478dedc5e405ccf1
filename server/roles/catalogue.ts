import { catalogue, operations } from '../../contract/api.ts'
import { parentOf } from '../../contract/core/ability.ts'
import type { CatalogueSubject } from '../../contract/roles.ts'
import { meaningfulConditions } from '../row-scope/row-scope.service.ts'

const operationsOf = (action: string, subject: string) =>
  operations
    .filter(({ op }) => op.can[0] === action && op.can[1] === subject)
    .map(({ op: { method, path, summary } }) => ({ method, path, summary }))

/** Every subject with its actions, what asks for them, and the conditions about records that mean something there. */
export const subjects: readonly CatalogueSubject[] = [...new Set(catalogue.map(({ subject }) => subject))].map(
  (subject) => ({
    subject,
    parent: parentOf(subject),
    actions: catalogue
      .filter((right) => right.subject === subject)
      .map(({ action }) => ({ action, operations: operationsOf(action, subject) })),
    ...meaningfulConditions(parentOf(subject)),
  }),
)

const names: ReadonlySet<string> = new Set(['all', ...subjects.flatMap(({ subject, parent }) => [subject, parent])])

/** Whether some operation or page asks for the subject, or for one below it. */
export const isSubject = (subject: string): boolean => names.has(subject)
