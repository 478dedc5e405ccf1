import { checkImports, checkStyle, goThrough } from './steps.ts'

const failed = await goThrough([
  { title: 'Lint', work: checkStyle },
  { title: 'Imports', work: checkImports },
])
process.exit(failed.length)
