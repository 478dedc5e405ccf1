const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

/** What the product calls itself; the server may put another name into the page. */
export const appTitle = meta('application-name') || 'Brolga'
/** Whether the pages for developers are there; a production server has none unless a setting turns them on. */
export const hasDevPages = meta('dev-pages') !== 'off'
/** Where nobody says otherwise; the server has a setting for it. */
export const defaultLanguage = meta('default-language')
export const appVersion = '0.4.0'
export const apiRoot = '/api/v2'
/** Currency of every amount. */
export const currency = 'AUD'
export const defaultZone = 'Australia/Sydney'
export const cspNonce = meta('csp-nonce')

/** Keys of this product in cookies and browser storage never meet those of a neighbour on the same host. */
export const storagePrefix = appTitle.toLowerCase().replace(/[^a-z0-9]+/g, '-')
