import { cronOps } from './jobs.ts'

const cron = cronOps({
  path: '/Cron/Process/Invoices/Overdue',
  can: ['manage', 'Cron:Invoices:Overdue'],
  message: 'Overdue invoices processed.',
  summary: 'Tells of invoices that became overdue, once for each invoice and due day, within 15 seconds',
})

export const overdueApi = { run: cron.run, preview: cron.preview, runs: cron.runs }
