import { globSync, readFileSync } from 'node:fs'

/**
 * What is read is read without scrolling: a line has 120 columns, which the formatter cannot see to in a text or a
 * comment, and a file is one thing. There are no exceptions.
 */
const maxColumns = 120
const maxLines = 400
/** Cases one after the other: a test is read one at a time. */
const maxTestLines = 600

const folders = '{contract,server,web,test,scripts,bench}/**'
const files = globSync([`${folders}/*.{ts,tsx,mjs,js,css}`, '*.ts']).toSorted()
const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.startsWith('test/')

const problems: string[] = []
for (const file of files) {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  for (const [index, line] of lines.entries()) {
    const columns = Array.from(line).length
    if (columns > maxColumns)
      problems.push(`${file}:${index + 1}: ${columns} columns; a line has at most ${maxColumns}`)
  }
  const most = isTest(file) ? maxTestLines : maxLines
  // A stylesheet is a list: a property has a line of its own.
  if (lines.length > most && !file.endsWith('.css'))
    problems.push(`${file}: ${lines.length} lines; a file over ${most} is two files`)
}

for (const problem of problems) console.error(problem)
console.log(`${files.length} files, ${problems.length} problems with their lines`)
process.exitCode = problems.length > 0 ? 1 : 0
