import { z } from 'zod'
import { type ErrorCode, errorCatalogue } from '../../../contract/core/errors.ts'
import type { Api, Op } from '../../../contract/core/op.ts'

type Schema = Record<string, unknown>

const errorStatuses: readonly [number, string][] = [
  [400, 'The request could not be read, or has a parameter that is not known.'],
  [401, 'No token, or one that is no longer good.'],
  [403, 'Known, but not allowed: `errors` names the missing permission.'],
  [404, 'No such record, or one the caller may not know of.'],
  [409, 'It conflicts with what was saved before; `error` says how.'],
  [422, 'Well formed, but not valid: `errors` names the fields.'],
  [429, 'Too many requests; `Retry-After` says how long to wait.'],
  [503, 'Busy or starting; `Retry-After` says how long to wait.'],
]

const failureSchema: Schema = {
  type: 'object',
  required: ['message', 'error', 'errors', 'responseCode', 'serviceData'],
  properties: {
    message: { type: 'string', description: 'A sentence a person can read.' },
    error: { type: 'string', enum: Object.keys(errorCatalogue) as ErrorCode[] },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    responseCode: { type: 'integer' },
    serviceData: { description: 'For example the present record of a stale version; else null.' },
    requestId: { type: 'string', description: 'Finds the line in the log; only on 5xx.' },
  },
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Schema => {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => shorten(jsonSchema),
  })
  return made
}

/** The patterns behind well-known formats say nothing to a reader. */
function shorten(schema: Schema) {
  if (typeof schema['format'] === 'string') delete schema['pattern']
}

/** The whole API as OpenAPI 3.1: a fold over the operations, so it cannot differ from what is served. */
export function openApi(
  apis: readonly { noun: string; api: Api }[],
  info: { title: string; version: string },
  root: string,
): Schema {
  const paths: Record<string, Record<string, Schema>> = {}
  for (const { noun, api } of apis) {
    for (const [name, op] of Object.entries(api)) {
      const path = op.path.replace(/:(\w+)/g, '{$1}')
      const methods = (paths[path] ??= {})
      methods[op.method.toLowerCase()] = operation(noun, name, op)
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      ...info,
      description:
        'Every answer has one envelope: `message` and `serviceData`, or a failure with a stable `error` code. ' +
        'Money is integer cents in AUD, quantities are decimal text, days are YYYY-MM-DD, instants are UTC.',
    },
    servers: [{ url: root }],
    tags: apis.map(({ noun }) => ({ name: noun })),
    paths,
    components: {
      schemas: { Failure: failureSchema },
      responses: Object.fromEntries(
        errorStatuses.map(([status, description]) => [
          `E${status}`,
          { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } } },
        ]),
      ),
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'From login or guest authentication; 15 minutes, renewable.',
        },
        apiGuid: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Guid',
          description: 'Identifies the visitor; every answer carries it.',
        },
        cronKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Cron <key>` for scheduled jobs.',
        },
      },
    },
  }
}

function operation(noun: string, name: string, op: Op): Schema {
  const [action, subject] = op.can
  const takesBody = op.method === 'POST' || op.method === 'PATCH'
  const cost = op.cost && op.cost !== 'normal' ? ` Cost class: ${op.cost}.` : ''
  return {
    operationId: `${noun}.${name}`,
    tags: [noun],
    summary: op.summary,
    description: `Permission: \`${action} ${subject}\`. For: ${op.who}.${cost}`,
    'x-permission': { action, subject, who: op.who },
    security: securityOf(op),
    parameters: [
      ...pathParameters(op),
      ...queryParameters(op),
      ...(op.effect !== 'read' ? [{ ...idempotencyKey, required: op.needsKey === true }] : []),
    ],
    ...(takesBody
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(op.body, 'input') } } } }
      : {}),
    responses: {
      [op.status]: successOf(op),
      ...Object.fromEntries(errorStatuses.map(([status]) => [status, { $ref: `#/components/responses/E${status}` }])),
    },
  }
}

const securityOf = (op: Op): Schema[] => {
  if (op.who === 'public' || op.who === 'webhook') return []
  return op.who === 'cron' ? [{ cronKey: [] }, { token: [], apiGuid: [] }] : [{ token: [], apiGuid: [] }]
}

const pathParameters = (op: Op): Schema[] =>
  [...op.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: /guid$/i.test(name) ? { type: 'string', format: 'uuid' } : { type: 'string' },
  }))

function queryParameters(op: Op): Schema[] {
  const { properties = {}, required = [] } = schemaOf(op.query, 'input') as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

const idempotencyKey: Schema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key with the same request gives the same answer and one effect.',
  schema: { type: 'string', maxLength: 255 },
}

const isBinary = (produces: string) => ['application/pdf', 'file'].includes(produces)

function successOf(op: Op): Schema {
  if (op.produces === 'redirect') return { description: op.summary }
  if (op.produces)
    return {
      description: op.summary,
      content: {
        [op.produces === 'file' ? 'application/octet-stream' : op.produces]: {
          schema: { type: 'string', ...(isBinary(op.produces) ? { format: 'binary' } : {}) },
        },
      },
    }
  const schema = {
    type: 'object',
    required: ['message', 'serviceData'],
    properties: { message: { type: 'string' }, serviceData: schemaOf(op.response, 'output') },
  }
  return { description: op.message, content: { 'application/json': { schema } } }
}
