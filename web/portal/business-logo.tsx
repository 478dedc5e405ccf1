import type { ReactNode } from 'react'
import type { PublicBusiness } from '../../contract/businesses.ts'
import { usePageScheme } from './page-scheme.ts'
import './business-logo.css'

interface LogoProps {
  business: Pick<PublicBusiness, 'name' | 'logo' | 'theme'>
  className: string
  /** In place of a logo. */
  children: ReactNode
}

/** The logo of a business: in the dark the one that was made for it, or the usual one on white. Paper is light. */
export function BusinessLogo({ business, className, children }: LogoProps) {
  const isDark = usePageScheme() === 'dark'
  const { logo, name } = business
  const { logoDark } = business.theme
  if (!logo) return children
  if (!isDark) return <img className={className} src={logo} alt={name} />
  if (!logoDark) return <img className={`${className} logo-on-white`} src={logo} alt={name} />
  return (
    <>
      <img className={`${className} logo-by-night`} src={logoDark} alt={name} />
      <img className={`${className} logo-on-paper`} src={logo} alt="" />
    </>
  )
}
