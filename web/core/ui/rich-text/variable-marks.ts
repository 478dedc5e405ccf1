import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { replaceLiquid } from '../../../../contract/core/liquid.ts'

function marksIn(doc: Node): DecorationSet {
  const marks: Decoration[] = []
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true
    const text = node.textBetween(0, node.content.size, '\n', '\n')
    let from = 0
    replaceLiquid(text, (token) => {
      from = text.indexOf(token, from)
      const start = position + 1 + from
      from += token.length
      marks.push(
        Decoration.inline(start, start + token.length, {
          class: token.startsWith('{%') ? 'rich-tag' : 'rich-variable',
        }),
      )
      return token
    })
    return false
  })
  return DecorationSet.create(doc, marks)
}

/** Shows where a template speaks; what is written stays text. */
export const VariableMarks = Extension.create({
  name: 'variableMarks',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key: new PluginKey('variableMarks'),
      state: {
        init: (_, { doc }) => marksIn(doc),
        apply: (change, marks) => (change.docChanged ? marksIn(change.doc) : marks),
      },
      props: {
        decorations(state) {
          return this.getState(state)
        },
      },
    }),
  ],
})
