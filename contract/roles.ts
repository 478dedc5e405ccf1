import { z } from 'zod'
import { conditionsSchema } from './core/ability.ts'
import {
  anyOf,
  archivedFilter,
  exactText,
  guid,
  listQuery,
  longText,
  pageOf,
  recordShape,
  text,
  timestamp,
  version,
} from './core/common.ts'
import { del, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { access, action, explainQuery, explanation, permissionRule } from './explain.ts'
import { userStatuses } from './users.ts'
import { nouns } from './nouns.ts'

const { pages } = nouns.Roles

const role = z.object({
  ...recordShape,
  name: z.string(),
  description: z.string(),
  kind: z.enum(['staff', 'guest']),
  /** Members must log in with a second factor. */
  requiresTwoStep: z.boolean(),
  userCount: z.int(),
  ruleCount: z.int(),
  isSuper: z.boolean(),
})
export type Role = z.output<typeof role>
const permission = permissionRule.extend({
  guid,
  roleGuid: guid,
  roleName: z.string(),
  note: z.string(),
  version,
})
export type Permission = z.output<typeof permission>
const roleWithRules = z.object({ role: role.extend({ permissions: z.array(permission) }) })

/** A rule as it is saved. Conditions outside the vocabulary are refused. */
const ruleInput = z.strictObject({
  /** Taken as it is: a blank before or behind it would make another subject. */
  subject: exactText(120, /^[A-Za-z][A-Za-z0-9]*(:[A-Za-z][A-Za-z0-9]*)*$/, 'Use words separated by colons.'),
  action,
  conditions: conditionsSchema.nullable().default(null),
  enabled: z.boolean().default(true),
  priority: z.int().min(-1000).max(1000).default(0),
  inverted: z.boolean().default(false),
  apiGuidRequired: z.boolean().default(false),
  authorizationHeaderRequired: z.boolean().default(true),
  note: longText(400).default(''),
})
export type RuleInput = z.output<typeof ruleInput>
/** A rule of the matrix: with the guid of the rule it was, or none when it is new. */
const matrixRule = ruleInput.extend({ guid: guid.optional() })

const roleFields = { name: text(80), description: longText(400), requiresTwoStep: z.boolean() }

/** One right that the code knows, with what asks for it. */
const catalogueSubject = z.object({
  subject: z.string(),
  parent: z.string(),
  actions: z.array(
    z.object({ action, operations: z.array(z.object({ method: z.string(), path: z.string(), summary: z.string() })) }),
  ),
  /** The conditions about records that mean something here; others would let nothing through. */
  conditions: z.array(z.enum(['business', 'scope:own', 'scope:assigned', 'statusIn', 'amountBelowCents'])),
  /** What `statusIn` can be made of. */
  statuses: z.array(z.string()),
})
export type CatalogueSubject = z.output<typeof catalogueSubject>

const comparedSide = z.object({ access, rule: permissionRule.extend({ note: z.string() }).nullable() })

export const rolesApi = {
  list: get({
    path: '/Roles',
    effect: 'read',
    can: pages.list.can,
    summary: 'The roles people and guests can have',
    query: listQuery(['name', 'createdAt'], { archived: archivedFilter, kind: anyOf(['staff', 'guest']).optional() }),
    response: pageOf(role),
  }),
  compare: get({
    path: '/Roles/Compare',
    effect: 'read',
    can: pages.list.can,
    summary: 'Two roles side by side: each right, and the rule it rests on',
    query: z.strictObject({ left: guid, right: guid }),
    response: z.object({
      left: role,
      right: role,
      items: z.array(
        z.object({ subject: z.string(), action, left: comparedSide, right: comparedSide, isDifferent: z.boolean() }),
      ),
    }),
  }),
  get: get({
    path: '/Roles/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One role with its rules',
    response: roleWithRules,
  }),
  members: get({
    path: '/Roles/Members/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'Who has this role',
    query: listQuery(['name', 'createdAt'], {}),
    response: pageOf(
      z.object({
        guid,
        name: z.string(),
        authID: z.string(),
        status: z.enum(userStatuses),
        hasTwoStep: z.boolean(),
        lastSeenAt: timestamp.nullable(),
      }),
    ),
  }),
  create: post({
    path: '/Roles',
    effect: 'write',
    can: pages.add.can,
    status: 201,
    message: 'Role created.',
    summary: 'Makes a role; nobody grants what he lacks',
    body: z.strictObject({
      name: roleFields.name,
      description: roleFields.description.optional(),
      requiresTwoStep: z.boolean().optional(),
      permissions: z.array(ruleInput).max(500).optional(),
    }),
    response: roleWithRules,
  }),
  clone: post({
    path: '/Roles/Clone/:guid',
    effect: 'write',
    can: pages.add.can,
    status: 201,
    message: 'Role duplicated.',
    summary: 'Makes a role with the rules of another one',
    body: z.strictObject({ name: roleFields.name, description: roleFields.description.optional() }),
    response: roleWithRules,
  }),
  update: patch({
    path: '/Roles/:guid',
    effect: 'write',
    can: ['update', 'Roles:Update:Guid'],
    message: 'Role saved.',
    summary: 'Changes the name of a role, its description, and whether it asks for two-step login',
    body: patchOf(z.strictObject(roleFields)),
    response: roleWithRules,
  }),
  replaceRules: post({
    path: '/Roles/Permissions/:guid',
    effect: 'write',
    can: ['update', 'Roles:Update:Guid'],
    message: 'Permissions saved.',
    summary: 'Replaces all rules of a role; rules with a guid are kept and changed, those left out are taken away',
    body: z.strictObject({ version, permissions: z.array(matrixRule).max(500) }),
    response: roleWithRules,
  }),
  remove: del({
    path: '/Roles/:guid',
    effect: 'write',
    can: ['delete', 'Roles:Archive:Guid'],
    message: 'Role archived.',
    summary: 'Archives a role that nobody has',
    response: roleWithRules,
  }),
  restore: post({
    path: '/Roles/Restore/:guid',
    effect: 'write',
    can: ['delete', 'Roles:Archive:Guid'],
    message: 'Role restored.',
    summary: 'Brings an archived role back',
    response: roleWithRules,
  }),
  startTrying: post({
    path: '/Roles/Try/:guid',
    effect: 'write',
    can: ['update', 'Roles:Update:Guid'],
    message: 'You’re viewing the app as this role. You can’t change anything while you do.',
    summary: 'From now on this session has the rules of the role, read only',
    response: z.object({ trying: z.object({ guid, name: z.string() }) }),
  }),
  stopTrying: del({
    path: '/Roles/Try',
    effect: 'write',
    can: ['update', 'Account'],
    passes: ['trying'],
    message: 'You’re back to your own permissions.',
    summary: 'Ends trying a role',
    response: z.null(),
  }),
  permissions: get({
    path: '/Permissions',
    effect: 'read',
    can: nouns.Permissions.pages.list.can,
    summary: 'The rules of all roles',
    query: listQuery(['subject', 'priority'], {
      roleGuid: guid.optional(),
      subject: text(120).optional(),
      action: action.optional(),
    }),
    response: pageOf(permission),
  }),
  catalogue: get({
    path: '/Permissions/Catalogue',
    effect: 'read',
    can: nouns.Permissions.pages.list.can,
    summary: 'Every subject and action the product knows: what rules are made of',
    response: z.object({ items: z.array(catalogueSubject) }),
  }),
  explain: get({
    path: '/Permissions/Explain',
    effect: 'read',
    can: nouns.Permissions.pages.list.can,
    summary: 'Why a user, the members of a role, or guests may or may not do something; name exactly one of them',
    query: explainQuery.extend({
      userGuid: guid.optional(),
      roleGuid: guid.optional(),
      guest: z.literal('true').optional(),
    }),
    response: z.object({ explanation }),
  }),
  permission: get({
    path: '/Permissions/:guid',
    effect: 'read',
    can: nouns.Permissions.pages.list.can,
    summary: 'One rule',
    response: z.object({ permission }),
  }),
  createPermission: post({
    path: '/Permissions',
    effect: 'write',
    can: ['create', 'Permissions:Create'],
    status: 201,
    message: 'Rule added.',
    summary: 'Adds a rule to a role',
    body: ruleInput.extend({ roleGuid: guid }),
    response: z.object({ permission }),
  }),
  updatePermission: patch({
    path: '/Permissions/:guid',
    effect: 'write',
    can: ['update', 'Permissions:Update:Guid'],
    message: 'Rule saved.',
    summary: 'Changes a rule: also enables and disables it',
    body: patchOf(ruleInput),
    response: z.object({ permission }),
  }),
  removePermission: del({
    path: '/Permissions/:guid',
    effect: 'write',
    can: ['delete', 'Permissions:Delete:Guid'],
    message: 'Rule removed.',
    summary: 'Takes a rule away for good',
    response: z.null(),
  }),
}
