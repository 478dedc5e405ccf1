import type { z } from 'zod'
import { usersApi } from '../../contract/users.ts'
import type { Fields } from '../record/record-facts.tsx'

/** What an administrator changes of a person. */
const userSchema = usersApi.update.body.omit({ version: true }).required()
/** Whoever was invited gives the name when coming. */
const invitedSchema = userSchema.extend({ firstName: userSchema.shape.lastName })
export type SentUser = z.output<typeof userSchema>

export const userFields: Fields<SentUser> = {
  schema: userSchema,
  rows: {
    firstName: { label: 'people:firstName' },
    lastName: { label: 'people:lastName' },
    authID: { label: 'people:login', hint: 'people:loginHint' },
    roleGuid: { label: 'people:role' },
    businessGuids: { label: 'people:businesses' },
    email: { label: 'people:email' },
    phone: { label: 'people:phone' },
  },
}

export const invitedFields: Fields<SentUser> = { ...userFields, schema: invitedSchema }
