import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Ways in which a statement asks by customer past the family. */
const past = [
  // Terms are of whoever is kept, and an order of rows is no condition.
  /(?<!\bt\.)customer_guid\s*(?:=|<>|in\b)(?!.* desc,)/,
  /(?<!member_guid )=\s*(?:\$\{)?\w+\.customer_guid/,
  /\.where\('(?:\w+\.)?customerGuid', (?!'=', keeperOf\()/,
  /[jJ]oin\('customers/,
  /from customers \w+\s+where \w+\.guid = (?!\$\{keeperOf)/,
]

/**
 * Where one of a family is meant and nobody else: his own row, what people are to him, his terms, what a file brought,
 * and merging itself. The search of lists asks for those who were merged apart, because they are few.
 */
const meant = [
  'server/core/family.ts',
  'server/ledger/attempts.ts',
  'server/ledger/facts.ts',
  'server/customers/contacts.queries.ts',
  'server/customers/contacts.service.ts',
  'server/customers/credit.service.ts',
  'server/customers/duplicates.ts',
  'server/customers/merges.queries.ts',
  'server/customers/terms.ts',
  'server/customers/xero.ts',
  'server/documents/list-search.service.ts',
  'server/imports/imports.queries.ts',
  'server/imports/match.queries.ts',
]

test('no statement asks by customer without asking the family', () => {
  const files = globSync('server/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts') && !meant.includes(file.replaceAll('\\', '/')),
  )
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, i) => (past.some((way) => way.test(line)) ? [`${file}:${i + 1} ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})
