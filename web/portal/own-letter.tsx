import './service.css'
import { useComputedColorScheme } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import { businessesApi, type PublicBusiness } from '../../contract/businesses.ts'
import { ofRecord } from '../core/api/business.ts'
import { useRead } from '../core/api/hooks.ts'
import { Loaded } from '../core/ui/states.tsx'
import { themeVariables } from './service-colours.ts'

export interface OwnLetterProps {
  of: { businessGuid: string }
  /** The document that wears what it was sent in; a draft wears what its business does now. */
  document?: { quoteGuid: string } | { invoiceGuid: string } | undefined
  children: (business: PublicBusiness) => ReactNode
}

/** The paper and the colour of a record's own business around its letter, as its customer gets it. */
export function OwnLetter({ of, document, children }: OwnLetterProps) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const read = useRead(businessesApi.letterhead, { ...ofRecord(of), ...document })
  return (
    <Loaded of={read}>
      {({ business }) => (
        <div className="own-letter" style={themeVariables(business.theme, scheme) as CSSProperties}>
          {children(business)}
        </div>
      )}
    </Loaded>
  )
}
