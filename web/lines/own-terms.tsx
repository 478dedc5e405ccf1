import type { ReactNode } from 'react'
import { businessesApi } from '../../contract/businesses.ts'
import { ofRecord } from '../core/api/business.ts'
import { useRead } from '../core/api/hooks.ts'
import { Loaded } from '../core/ui/states.tsx'
import { OwnBusiness } from '../record/own-business.tsx'
import type { Defaults } from './document-values.ts'

export interface OwnTermsProps {
  noun: 'Quotes' | 'QuoteTemplates' | 'Series' | 'Orders' | 'Invoices'
  of: { businessGuid: string }
  children: (business: Defaults) => ReactNode
}

/**
 * The business whose GST, terms and days hold for a record, whatever business the window works in; what is looked up in
 * its editor is that one's, too.
 */
export function OwnTerms({ noun, of, children }: OwnTermsProps) {
  const read = useRead(businessesApi.current, ofRecord(of))
  return (
    <OwnBusiness noun={noun} of={of}>
      <Loaded of={read}>{({ business }) => children(business)}</Loaded>
    </OwnBusiness>
  )
}
