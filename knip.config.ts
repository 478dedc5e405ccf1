import type { KnipConfig } from 'knip'

/** Nobody imports these; each is started as a process of its own or sent to a browser. */
const entry = [
  'scripts/*.{ts,mjs}',
  'bench/{run,thin}.ts',
  'server/main.ts',
  'server/core/follow-parent.ts',
  'server/core/http/docs/*.{js,css}',
  'server/render-worker.ts',
  'server/inbound/mail-thread.ts',
  'server/sandbox/main.ts',
  'server/sandbox/browser/*.{js,css}',
  'server/users/setup.css',
  'test/support/embedded-child.ts',
]

const config: KnipConfig = {
  entry,
  project: ['{contract,server,web,scripts,bench,test}/**/*.{ts,tsx,mjs,js,css}', '*.ts'],
  compilers: {
    css: (text: string) => [...text.matchAll(/@import '[^']+'/g)].map(([found]) => found.slice(1)).join('\n'),
  },
  ignoreDependencies: [
    // Run by name.
    'oxfmt',
    'oxlint',
    'oxlint-tsgolint',
    // Their files are found by path.
    // Has no types, so it is loaded by its name.
    'hoodiecrow-imap',
    '@fontsource/cairo',
    '@fontsource/public-sans',
  ],
  // Reads what is printed, where the machine has it.
  ignoreBinaries: ['pdftotext'],
}

export default config
