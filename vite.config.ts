import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const inPackages = (...names: string[]) => new RegExp(`[\\\\/]node_modules[\\\\/](?:${names.join('|')})[\\\\/]`)

export default defineConfig({
  root: 'web',
  base: '/',
  plugins: [react({ compiler: true })],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    // Strict CSP: nothing is inlined as data or script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What never changes between releases stays in the browser's cache; the rest follows the pages.
        codeSplitting: {
          groups: [
            { name: 'react', test: inPackages('react', 'react-dom', 'scheduler') },
            { name: 'router', test: inPackages('@tanstack/react-router', '@tanstack/router-core', '@tanstack/history', '@tanstack/store', '@tanstack/react-store') },
            { name: 'phrases', test: inPackages('i18next', 'react-i18next') },
            { name: 'zod', test: inPackages('zod') },
            { name: 'charts', test: inPackages('recharts', '@mantine/charts', 'd3-[a-z]+', 'victory-vendor', '@reduxjs', 'react-redux') },
          ],
        },
      },
    },
  },
})
