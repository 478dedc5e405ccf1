import './core/theme/base.css'
import './core/ui/ui.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './core/api/hooks.ts'
import { startPhrases } from './core/i18n/i18n.ts'
import { watchSession } from './core/layout/session-watch.ts'
import { ThemeProvider } from './core/theme/theme-provider.tsx'
import { router } from './router.tsx'

async function start() {
  const place = document.getElementById('root')
  if (!place) throw new Error('The page has no place for the product')
  await startPhrases()
  watchSession(router)
  createRoot(place).render(
    <StrictMode>
      <ThemeProvider>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ThemeProvider>
    </StrictMode>,
  )
}

void start()
