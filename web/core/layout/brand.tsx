import { appTitle } from '../config.ts'

/** The mark of the product: the neck, beak and red crown of a brolga. */
export function BrandMark({ size = 32 }: { size?: number }) {
  return (
    <svg className="brand-mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#675DD8" />
      <path d="M12.600 8.200 3.800 11.900l9.300.1z" fill="#fff" />
      <circle cx="15" cy="9.600" r="3.300" fill="#fff" />
      <path
        d="M16.600 11.200c2.700 3.400-4.300 5.400-1.400 10.200"
        fill="none"
        stroke="#fff"
        strokeWidth="2.900"
        strokeLinecap="round"
      />
      <path
        d="M13.700 20.400c3.200-3.400 10.700-3.200 14.300 3.100-4.600 3.200-12.800 2.900-14.300-3.100z"
        fill="#fff"
      />
      <path d="M12.100 7.900c1.200-2.200 4.700-2.500 6.100.5-2.100-.8-4.100-1-6.100-.5z" fill="#FFB4A8" />
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
