import { describeJunk } from './junk.ts'

describeJunk((op) => op.method === 'POST')
