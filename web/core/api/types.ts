import type { Op, PathParams } from '../../../contract/core/op.ts'
import type { z } from 'zod'

// An empty strict object is inferred as Record<string, never>, which would poison every intersection with it.
type Fields<T> = string extends keyof T ? unknown : T
type Params<O> = O extends Op<infer P, z.ZodType, z.ZodType, z.ZodType> ? PathParams<P> : never

/** What a caller sends to an operation: path parameters, query and body in one object. */
export type Payload<O extends Op> = Params<O> & Fields<z.input<O['query']>> & Fields<z.input<O['body']>>
export type Answer<O extends Op> = z.output<O['response']>
/** The row type of a list operation. */
export type ItemOf<O extends Op> = Answer<O> extends { items: (infer T)[] } ? T : never
