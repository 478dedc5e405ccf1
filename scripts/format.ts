import { format } from './steps.ts'

process.exit((await format()) ? 0 : 1)
