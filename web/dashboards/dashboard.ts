import type { dashboardsApi } from '../../contract/dashboards.ts'
import type { Answer } from '../core/api/types.ts'

export type Dashboard = Answer<typeof dashboardsApi.ecommerce>

/** Invoices that money is owing on. */
export const owingStatuses = 'sent,viewed,partially_paid,overdue'
export const openOrderStatuses = 'pending_confirmation,confirmed,in_progress,on_hold'

/** A list with its filters in the address. */
export function listAt(path: string, filters: Record<string, string>): string {
  const query = new URLSearchParams(filters).toString()
  return query ? `${path}?${query}` : path
}
