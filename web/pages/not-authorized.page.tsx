import { NotAuthorized } from '../core/layout/not-authorized.tsx'
import { WayBack } from './way-back.tsx'

export function Page() {
  return <NotAuthorized missing={{ action: 'read', subject: 'Dashboards:ServerMeta' }} actions={<WayBack />} />
}
