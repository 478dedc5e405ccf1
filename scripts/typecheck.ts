import { checkTypes } from './steps.ts'

process.exit((await checkTypes()) ? 0 : 1)
