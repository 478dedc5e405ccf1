import { describe, expect, test } from 'vitest'
import { dropped, stepped } from './tree.ts'

const c = (guid: string, parentGuid: string | null, depth: number) => ({ guid, parentGuid, depth })
/** a (b (c), d), e */
const tree = [c('a', null, 1), c('b', 'a', 2), c('c', 'b', 3), c('d', 'a', 2), c('e', null, 1)]
const deep = [1, 2, 3, 4, 5].map((n) => c(`${n}`, n === 1 ? null : `${n - 1}`, n)).concat(c('x', null, 1))

describe('a category moved by a key', () => {
  test('goes up and down among its neighbours, and stays at the ends', () => {
    expect(stepped(tree, 'd', 'up')).toEqual({ parentGuid: 'a', position: 1 })
    expect(stepped(tree, 'b', 'down')).toEqual({ parentGuid: 'a', position: 2 })
    expect([stepped(tree, 'a', 'up'), stepped(tree, 'e', 'down')]).toEqual([null, null])
  })
  test('comes out behind its parent, and goes into the one before it', () => {
    expect(stepped(tree, 'b', 'out')).toEqual({ parentGuid: null, position: 2 })
    expect(stepped(tree, 'e', 'in')).toEqual({ parentGuid: 'a', position: 3 })
    expect([stepped(tree, 'a', 'out'), stepped(tree, 'a', 'in')]).toEqual([null, null])
  })
  test('goes no deeper than five', () => {
    expect(stepped([...deep.slice(0, 5), c('y', '4', 5)], 'y', 'in')).toBeNull()
    expect(stepped(deep, 'x', 'in')).toEqual({ parentGuid: '1', position: 2 })
  })
})

describe('a category let go on another', () => {
  test('lands before, inside or after it, counted without itself', () => {
    expect(dropped(tree, 'd', 'b', 'before')).toEqual({ parentGuid: 'a', position: 1 })
    expect(dropped(tree, 'b', 'd', 'after')).toEqual({ parentGuid: 'a', position: 2 })
    expect(dropped(tree, 'e', 'b', 'inside')).toEqual({ parentGuid: 'b', position: 2 })
  })
  test('never lands inside itself or too deep', () => {
    expect(dropped(tree, 'a', 'c', 'inside')).toBeNull()
    expect(dropped(tree, 'a', 'a', 'after')).toBeNull()
    expect(dropped(deep, 'x', '5', 'inside')).toBeNull()
    expect(dropped(deep, 'x', '5', 'after')).toEqual({ parentGuid: '4', position: 2 })
  })
})
