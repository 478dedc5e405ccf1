import type { Category } from '../../contract/categories.ts'

/** Where a category is put: below `parentGuid`, at a place among those that are there, from 1. */
export interface Place {
  parentGuid: string | null
  position: number
}
export type Step = 'up' | 'down' | 'out' | 'in'
type Tree = readonly Pick<Category, 'guid' | 'parentGuid' | 'depth'>[]

const deepest = 5
const below = (tree: Tree, parentGuid: string | null) => tree.filter((c) => c.parentGuid === parentGuid)

/** How many levels a category and what is inside it take. */
const levelsOf = (tree: Tree, guid: string): number =>
  1 + Math.max(0, ...below(tree, guid).map((child) => levelsOf(tree, child.guid)))

/** Whether a category may go below another one: not into itself, and no deeper than five. */
function fits(tree: Tree, guid: string, parentGuid: string | null): boolean {
  let depth = 0
  for (let at = parentGuid; at !== null; at = tree.find((c) => c.guid === at)?.parentGuid ?? null) {
    if (at === guid) return false
    depth += 1
  }
  return depth + levelsOf(tree, guid) <= deepest
}

/** Where a step with the keyboard leads; null where there is no way. */
export function stepped(tree: Tree, guid: string, step: Step): Place | null {
  const category = tree.find((c) => c.guid === guid)
  if (!category) return null
  const neighbours = below(tree, category.parentGuid)
  const at = neighbours.findIndex((c) => c.guid === guid)
  if (step === 'up') return at === 0 ? null : { parentGuid: category.parentGuid, position: at }
  if (step === 'down')
    return at === neighbours.length - 1 ? null : { parentGuid: category.parentGuid, position: at + 2 }
  if (step === 'out') {
    const parent = tree.find((c) => c.guid === category.parentGuid)
    if (!parent) return null
    const place = below(tree, parent.parentGuid).findIndex((c) => c.guid === parent.guid)
    return { parentGuid: parent.parentGuid, position: place + 2 }
  }
  const before = neighbours[at - 1]
  return before && fits(tree, guid, before.guid)
    ? { parentGuid: before.guid, position: below(tree, before.guid).length + 1 }
    : null
}

/** Where a category lands that is let go on another: before it, inside it or after it. */
export function dropped(tree: Tree, guid: string, on: string, where: 'before' | 'inside' | 'after'): Place | null {
  const target = tree.find((c) => c.guid === on)
  if (!target || guid === on) return null
  const parentGuid = where === 'inside' ? on : target.parentGuid
  if (!fits(tree, guid, parentGuid)) return null
  // Counted without the one that moves.
  const others = below(tree, parentGuid).filter((c) => c.guid !== guid)
  if (where === 'inside') return { parentGuid, position: others.length + 1 }
  const at = others.findIndex((c) => c.guid === on)
  return { parentGuid, position: at + (where === 'before' ? 1 : 2) }
}
