import { NotFound } from '../core/layout/not-found.tsx'

export function Page() {
  return <NotFound />
}
