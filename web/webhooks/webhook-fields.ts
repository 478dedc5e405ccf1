import { webhookInput, type WebhookInput } from '../../contract/webhooks.ts'
import { phrase } from '../core/i18n/i18n.ts'
import type { Fields } from '../record/record-facts.tsx'

/** What is known of a webhook, in the order of the form. */
export const webhookFields: Fields<WebhookInput> = {
  schema: webhookInput,
  rows: {
    name: { label: 'webhooks:name' },
    url: { label: 'webhooks:url', hint: 'webhooks:urlHint' },
    status: { label: 'webhooks:state', words: (status) => phrase(`webhooks:states.${status as 'active'}`) },
  },
}
