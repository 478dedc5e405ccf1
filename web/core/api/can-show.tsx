import type { ReactNode } from 'react'
import type { Op } from '../../../contract/core/op.ts'
import { useCan, type Need } from './can.ts'

/** Shows its children to those who may run the operation. */
export function Can({ op, children, otherwise = null }: { op: Op | Need; children: ReactNode; otherwise?: ReactNode }) {
  return useCan(op) ? children : otherwise
}
