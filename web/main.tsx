import './core/theme/kit.css'
import './core/theme/base.css'
import './core/ui/ui.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { authFlags } from './core/api/auth-state.ts'
import { cspNonce } from './core/config.ts'
import { startPhrases } from './core/i18n/i18n.ts'
import { fetchAhead } from './core/layout/routes.tsx'
import { watchLastBusiness } from './core/layout/last-business.ts'
import { watchSession } from './core/layout/session-watch.ts'
import { ThemeProvider } from './core/theme/theme-provider.tsx'
import { router } from './router.tsx'

// Libraries that add a style sheet at run time ask for the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: cspNonce })

async function start() {
  const place = document.getElementById('root')
  if (!place) throw new Error('The page has no place for the product')
  await Promise.all([startPhrases(), authFlags().isUser ? fetchAhead(router) : null])
  watchSession(router)
  watchLastBusiness()
  createRoot(place).render(
    <StrictMode>
      <ThemeProvider>
        <RouterProvider router={router} />
      </ThemeProvider>
    </StrictMode>,
  )
}

void start()
