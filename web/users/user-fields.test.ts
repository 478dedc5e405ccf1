import { expect, test } from 'vitest'
import { formValues } from '../record/form-values.ts'
import { invitedFields, userFields } from './user-fields.ts'

const invited = {
  firstName: '',
  lastName: '',
  authID: 'nell@people.example',
  email: 'nell@people.example',
  phone: '',
  roleGuid: crypto.randomUUID(),
}

test('a person who was invited without a name can be given another role, and one who has come keeps a name', () => {
  const values = { ...formValues(invitedFields.schema, invited), phone: '0400 000 000', roleGuid: crypto.randomUUID() }
  expect(invitedFields.schema.safeParse(values).success).toBe(true)
  expect(userFields.schema.safeParse(values).success).toBe(false)
})
