import { z } from 'zod'
import { permissionRule } from './auth.ts'
import { guid, listQuery, pageOf, recordShape, text } from './core/common.ts'
import { get } from './core/op.ts'

export const role = z.object({ ...recordShape, name: z.string(), description: z.string(), kind: z.enum(['staff', 'guest']), userCount: z.int(), ruleCount: z.int(), isSuper: z.boolean() })
export type Role = z.output<typeof role>
export const permission = permissionRule.extend({ guid, roleGuid: guid, roleName: z.string(), note: z.string() })
export type Permission = z.output<typeof permission>

export const rolesApi = {
  list: get({
    path: '/Roles',
    effect: 'read',
    can: ['read', 'Roles:Preview:All'],
    summary: 'The roles people and guests can have',
    query: listQuery(['name', 'createdAt'], {}),
    response: pageOf(role),
  }),
  get: get({ path: '/Roles/:guid', effect: 'read', can: ['read', 'Roles:Preview:Guid'], summary: 'One role with its rules', response: z.object({ role: role.extend({ permissions: z.array(permission) }) }) }),
  permissions: get({
    path: '/Permissions',
    effect: 'read',
    can: ['read', 'Permissions:Preview:All'],
    summary: 'The rules of all roles',
    query: listQuery(['subject', 'priority'], { roleGuid: guid.optional(), subject: text(120).optional(), action: permissionRule.shape.action.optional() }),
    response: pageOf(permission),
  }),
}
