import { checkStyle } from './steps.ts'

process.exit((await checkStyle()) ? 0 : 1)
