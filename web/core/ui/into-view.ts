/** As `ref` of what is said anew: it may be far from where somebody looks. */
export const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })
