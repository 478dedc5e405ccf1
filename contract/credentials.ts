import { z } from 'zod'
import { givenPassword, newPassword } from './auth.ts'
import { longText, text, timestamp } from './core/common.ts'
import { post } from './core/op.ts'
import { places } from './places.ts'

/**
 * Where the links in mails lead. The token stands behind `#`, so that it never reaches a server's log or another site:
 * `/reset-password#<token>` and `/accept-invitation#<token>`.
 */
export const resetPath = places.resetPassword
export const invitationPath = places.acceptInvitation
export const resetMinutes = 15
export const invitationHours = 72

const token = z.string().regex(/^[\w-]{43}$/, 'This token isn’t valid.')
const publicWrite = { who: 'public', cost: 'login', passes: ['trying', 'two-step'] } as const
const own = { effect: 'external', can: ['update', 'Account'], passes: ['two-step'] } as const
const recoveryCodes = z.array(z.string())

export const credentialsApi = {
  forgot: post({
    path: '/Kernal/Users/Auth/Forgot',
    effect: 'write',
    ...publicWrite,
    can: ['read', 'Auth:Login'],
    unaudited: 'who asks is not known; the reset itself leaves a line',
    message: 'If that account exists, we’ve emailed a link. It’s valid for 15 minutes.',
    summary: 'Sends a link to reset the password; the answer is the same whether the login exists or not',
    body: z.strictObject({ authID: text(254) }),
    response: z.null(),
  }),
  checkReset: post({
    path: '/Kernal/Users/Auth/Reset/Check',
    effect: 'external',
    unaudited: 'looks only',
    ...publicWrite,
    can: ['read', 'Auth:Login'],
    summary: 'Whether a reset link still works; 410 LINK_DEAD when not',
    body: z.strictObject({ token }),
    response: z.object({ authID: z.string(), expiresAt: timestamp }),
  }),
  reset: post({
    path: '/Kernal/Users/Auth/Reset',
    effect: 'external',
    ...publicWrite,
    can: ['read', 'Auth:Login'],
    message: 'Password changed. Please log in.',
    summary: 'Sets a new password by the link of a mail, once; all sessions end',
    body: z.strictObject({ token, password: newPassword }),
    response: z.object({ authID: z.string() }),
  }),
  checkInvitation: post({
    path: '/Kernal/Users/Auth/Invitations/Check',
    effect: 'external',
    unaudited: 'looks only',
    ...publicWrite,
    can: ['read', 'Auth:Login'],
    summary: 'Who is invited, by whom; 410 LINK_DEAD when the invitation is over',
    body: z.strictObject({ token }),
    response: z.object({
      authID: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      roleName: z.string(),
      invitedBy: z.string(),
      businessName: z.string(),
      asksForTwoStep: z.boolean(),
      expiresAt: timestamp,
    }),
  }),
  acceptInvitation: post({
    path: '/Kernal/Users/Auth/Invitations/Accept',
    effect: 'external',
    ...publicWrite,
    can: ['read', 'Auth:Login'],
    message: 'Welcome. Please log in.',
    summary: 'Accepts an invitation with a name and a password, once',
    body: z.strictObject({ token, firstName: text(80), lastName: longText(80).optional(), password: newPassword }),
    response: z.object({ authID: z.string() }),
  }),
  setupTwoStep: post({
    path: '/Kernal/Users/Auth/TwoStep/Setup',
    ...own,
    message: 'Scan the code, then enter the six digits.',
    summary: 'A new secret for the authenticator app; it counts once it is enabled with a code',
    body: z.strictObject({ currentPassword: givenPassword }),
    /**
     * `qr`: one SVG path, dark on light, in a square of `size` modules; as many as `quietZone` stay light on each side.
     */
    response: z.object({
      secret: z.string(),
      otpauthUrl: z.string(),
      qr: z.object({ size: z.int(), quietZone: z.int(), path: z.string() }),
    }),
  }),
  enableTwoStep: post({
    path: '/Kernal/Users/Auth/TwoStep/Enable',
    ...own,
    message: 'Two-step login turned on.',
    summary: 'Turns two-step login on with a code of the app; gives the recovery codes, this once',
    body: z.strictObject({ authCode: text(40) }),
    response: z.object({ recoveryCodes }),
  }),
  disableTwoStep: post({
    path: '/Kernal/Users/Auth/TwoStep/Disable',
    ...own,
    message: 'Two-step login turned off.',
    summary: 'Turns two-step login off; not where the role asks for it',
    body: z.strictObject({ currentPassword: givenPassword, authCode: text(40) }),
    response: z.null(),
  }),
  newRecoveryCodes: post({
    path: '/Kernal/Users/Auth/TwoStep/RecoveryCodes',
    ...own,
    message: 'New recovery codes created. The old ones no longer work.',
    summary: 'Ten new recovery codes in place of the old ones',
    body: z.strictObject({ currentPassword: givenPassword, authCode: text(40) }),
    response: z.object({ recoveryCodes }),
  }),
}
