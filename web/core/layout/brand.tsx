import { appTitle } from '../config.ts'

/** The mark of the product: a crane, drawn in one line. */
export function BrandMark({ size = 32 }: { size?: number }) {
  return (
    <svg className="brand-mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#675DD8" />
      <path d="M21 7.2c-3.200-1.500-6.900.3-6.900 3.700 0 4.800 6.600 5.400 6.600 10 0 2.600-2.200 4.100-5 4.100-3.300 0-5.700-2.100-7-5.500M14.300 9.200 9 7.600M13 25v0" fill="none" stroke="#fff" strokeWidth="2.400" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

export function Brand() {
  return (
    <span className="brand">
      <BrandMark />
      <span className="brand-name">{appTitle}</span>
    </span>
  )
}
