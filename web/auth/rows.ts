import { loginRight, places } from '../../contract/places.ts'
import type { PageRoute } from '../core/layout/route.ts'

/** The way in. */
export const authPages: PageRoute[] = [
  {
    path: places.login,
    layout: 'blank',
    can: loginRight,
    title: 'auth:login.title',
    notLoggedIn: true,
    page: 'auth/login.page.tsx',
  },
  {
    path: places.forgotPassword,
    layout: 'blank',
    title: 'auth:forgot.title',
    notLoggedIn: true,
    page: 'auth/forgot-password.page.tsx',
  },
  {
    path: places.resetPassword,
    layout: 'blank',
    title: 'auth:reset.title',
    open: true,
    page: 'auth/reset-password.page.tsx',
  },
  {
    path: places.acceptInvitation,
    layout: 'blank',
    title: 'auth:invited.pageTitle',
    open: true,
    page: 'auth/accept-invitation.page.tsx',
  },
  { path: places.lobby, layout: 'blank', title: 'auth:wait.title', open: true, page: 'auth/lobby.page.tsx' },
  { path: places.waiting, layout: 'blank', title: 'auth:wait.title', open: true, page: 'auth/waiting.page.tsx' },
  {
    path: places.notAuthorized,
    layout: 'blank',
    title: 'auth:notAuthorized.title',
    open: true,
    page: 'auth/not-authorized.page.tsx',
  },
]
