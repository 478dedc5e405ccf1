import { maintenance } from '../core/api/connection.ts'
import { MaintenancePage } from '../core/layout/maintenance.tsx'
import { useStore } from '../core/store.ts'
import { WayBack } from './way-back.tsx'

/** What is said during maintenance; outside of it, the page with its standard sentence. */
export function Page() {
  const state = useStore(maintenance)
  return <MaintenancePage state={state ?? { message: '', until: null }} actions={<WayBack />} />
}
