import type { Order } from '../../contract/orders.ts'

/** Lines that could go on hire: they have days, and nothing of them is invoiced. */
export const startable = ({ lines, hire }: Pick<Order, 'lines' | 'hire'>) =>
  lines.filter(
    (line) =>
      line.kind === 'hire' &&
      line.hireFrom !== null &&
      line.quantityInvoiced === '0' &&
      !line.sourceKey?.startsWith('plan:') &&
      !hire.some(({ lineGuid }) => lineGuid === line.guid),
  )

export const hasHire = (order: Pick<Order, 'lines' | 'hire'>) => order.hire.length > 0 || startable(order).length > 0
