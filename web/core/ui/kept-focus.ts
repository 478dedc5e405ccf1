const regions = 'section, article, main, [role="region"], [role="dialog"], [role="tabpanel"]'

/** Something that has the focus, and all that it stands in: where to go on when it is gone. */
export interface FocusPlace {
  element: Element
  around: readonly Element[]
}

export function placeOf(element: Element): FocusPlace {
  const around: Element[] = []
  for (let one = element.parentElement; one; one = one.parentElement) around.push(one)
  return { element, around }
}

/** The heading of a region, not of one that stands in it. */
const headingOf = (region: Element) =>
  [...region.querySelectorAll<HTMLElement>('h1, h2, h3')].find((one) => one.closest(regions) === region)

/** Gives the focus to the heading of what is left of a place: that of the card, else that of the page. */
export function goOnFrom({ around }: FocusPlace) {
  const left = around.filter((one) => one.isConnected && one.matches(regions))
  const heading = left.map(headingOf).find((one) => one?.checkVisibility())
  if (heading) heading.tabIndex = -1
  const next = heading ?? document.querySelector('main')
  next?.focus({ preventScroll: true })
}

const isAway = (element: Element) => element.matches(':disabled') || !element.checkVisibility()

/**
 * Whoever presses a button goes on from there. A browser drops the focus when the button is gone after its work, and
 * the next Tab begins at the top of the page; here what stands around it takes the focus. What is disabled or hidden
 * for a while has it again afterwards. Nothing is done where somebody left it, or something else took the focus.
 */
export function keepFocus(): () => void {
  let held: FocusPlace | null = null
  let wasAway = false
  let isGone = false
  let frame = 0
  const check = () => {
    frame = 0
    const now = document.activeElement
    if (!held || (now && now !== document.body && now !== held.element)) return
    const { element } = held
    if (element.isConnected && isAway(element)) wasAway = true
    else if (!element.isConnected && !isGone) {
      // This look may have been asked for before it went: whoever took it away has two frames from now, too.
      isGone = true
      checkSoon()
    } else if (!element.isConnected) {
      goOnFrom(held)
      if (document.activeElement === document.body) held = null
    } else if (wasAway) {
      wasAway = false
      if (element instanceof HTMLElement) element.focus({ preventScroll: true })
    } else if (now === document.body) held = null
  }
  // What wants the focus after a change asks for it in the next frame.
  const checkSoon = () => {
    if (frame === 0) frame = requestAnimationFrame(() => (frame = requestAnimationFrame(check)))
  }
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || target === document.body) return
    held = placeOf(target)
    wasAway = false
    isGone = false
  }
  const onPointer = () => {
    if (wasAway) held = null
  }
  const changes = new MutationObserver(() => {
    if (!held) return
    const now = document.activeElement
    if (now === document.body || now === null || wasAway || held.element.matches(':disabled')) checkSoon()
  })
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', checkSoon)
  document.addEventListener('pointerdown', onPointer)
  changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden', 'style'] })
  return () => {
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', checkSoon)
    document.removeEventListener('pointerdown', onPointer)
    changes.disconnect()
    cancelAnimationFrame(frame)
  }
}
