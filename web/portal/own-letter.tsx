import './service.css'
import { useComputedColorScheme } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import { businessesApi, type PublicBusiness } from '../../contract/businesses.ts'
import { useRead } from '../core/api/hooks.ts'
import { Loaded } from '../core/ui/states.tsx'
import { themeVariables } from './service-colours.ts'

/** The paper and the colour of one's own business around a letter, as its customer gets it. */
export function OwnLetter({ children }: { children: (business: PublicBusiness) => ReactNode }) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const read = useRead(businessesApi.letterhead, {})
  return (
    <Loaded of={read}>
      {({ business }) => (
        <div className="own-letter" style={themeVariables(business.primaryColour, scheme) as CSSProperties}>
          {children(business)}
        </div>
      )}
    </Loaded>
  )
}
