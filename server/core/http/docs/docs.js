const main = document.querySelector('#operations')
const search = document.querySelector('#search')
const count = document.querySelector('#count')

const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children.filter((child) => child !== null))
  return element
}

/** A schema as a reader wants it: the shape with kinds instead of keywords. */
const shape = (schema, indent = '') => {
  if (!schema || Object.keys(schema).length === 0) return 'anything'
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return [...new Set(branches.map((branch) => shape(branch, indent)))].join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => shape(part, indent)).join(' & ')
  if (schema.type === 'array') return `[${shape(schema.items, indent)}]`
  if (schema.type === 'object' || schema.properties) return objectShape(schema, indent)
  const kind = Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'anything')
  return schema.format ? `${kind} (${schema.format})` : kind
}
const objectShape = (schema, indent) => {
  const entries = Object.entries(schema.properties ?? {})
  if (entries.length === 0) return '{}'
  const required = schema.required ?? []
  const inner = `${indent}  `
  const lines = entries.map(([name, value]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${inner}${name}${mark}: ${shape(value, inner)}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

const parameterTable = (parameters) =>
  make(
    'table',
    {},
    make(
      'tbody',
      {},
      ...parameters.map((p) =>
        make(
          'tr',
          {},
          make('td', {}, make('code', {}, p.name)),
          make('td', {}, `${p.in}${p.required ? ', required' : ''}`),
          make('td', {}, make('code', {}, shape(p.schema))),
        ),
      ),
    ),
  )

const fill = (operation) => {
  const body = operation.requestBody?.content['application/json']?.schema
  const [status, answer] = Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? []
  const [mime, content] = Object.entries(answer?.content ?? {})[0] ?? []
  const { action, subject, who } = operation['x-permission']
  const data = mime === 'application/json' ? content.schema.properties.serviceData : null
  return make(
    'div',
    { class: 'inside' },
    make('span', { class: 'badge' }, `${action} ${subject}`),
    make('span', { class: 'badge' }, `for ${who}`),
    make('span', { class: 'badge' }, `answers ${status}`),
    operation.parameters.length > 0 ? make('h3', {}, 'Parameters') : null,
    operation.parameters.length > 0 ? parameterTable(operation.parameters) : null,
    body ? make('h3', {}, 'Body') : null,
    body ? make('pre', { tabindex: '0' }, shape(body)) : null,
    make('h3', {}, data ? 'serviceData' : 'Answer'),
    make('pre', { tabindex: '0' }, data ? shape(data) : mime),
  )
}

const entry = (path, method, operation) => {
  const details = make(
    'details',
    {},
    make(
      'summary',
      {},
      make('span', { class: `method ${method}` }, method.toUpperCase()),
      make('code', { class: 'path' }, path),
      make('span', { class: 'words' }, operation.summary),
    ),
  )
  // Hundreds of schemas at once would make the page slow: each is drawn when it is opened.
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(fill(operation))
  })
  return {
    details,
    text: `${method} ${path} ${operation.summary} ${operation.description} ${operation.operationId}`.toLowerCase(),
  }
}

const draw = (description) => {
  document.title = `${description.info.title} API`
  document.querySelector('#title').textContent = `${description.info.title} API ${description.info.version}`
  document.querySelector('#intro').textContent = description.info.description.replaceAll('`', '')
  const sections = new Map()
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0]
      if (!sections.has(tag)) sections.set(tag, { section: make('section', {}, make('h2', {}, tag)), entries: [] })
      const made = entry(description.servers[0].url + path, method, operation)
      sections.get(tag).section.append(made.details)
      sections.get(tag).entries.push(made)
    }
  }
  main.replaceChildren(...[...sections.values()].map(({ section }) => section))
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    let found = 0
    for (const { section, entries } of sections.values()) {
      const shown = entries.filter(
        ({ details, text }) => !(details.hidden = !words.every((word) => text.includes(word))),
      ).length
      section.hidden = shown === 0
      found += shown
    }
    count.textContent = `${found} operations`
  }
  search.addEventListener('input', filter)
  filter()
}

try {
  const answer = await fetch('/api/v2/openapi.json')
  if (!answer.ok) throw new Error(String(answer.status))
  draw(await answer.json())
} catch {
  count.textContent = 'The description could not be loaded. Please reload the page.'
}
