import type { ReactNode } from 'react'
import { businessesApi } from '../../contract/businesses.ts'
import { ofRecord } from '../core/api/business.ts'
import { useRead } from '../core/api/hooks.ts'
import { Loaded } from '../core/ui/states.tsx'
import type { Defaults } from './document-values.ts'

export interface OwnTermsProps {
  of: { businessGuid: string }
  children: (business: Defaults) => ReactNode
}

/** The business whose GST, terms and days hold for a record, whatever business the window works in. */
export function OwnTerms({ of, children }: OwnTermsProps) {
  const read = useRead(businessesApi.current, ofRecord(of))
  return <Loaded of={read}>{({ business }) => children(business)}</Loaded>
}
