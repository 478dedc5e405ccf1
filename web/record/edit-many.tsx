import type { ComponentType } from 'react'
import type { T } from '../core/i18n/i18n.ts'
import type { PhraseKey } from '../core/i18n/phrases.ts'
import type { BulkDeed, BulkFormProps } from '../core/ui/table/types.ts'

/** Gives many records the same values in the fields that the operation takes, asked for in a form that comes lazily. */
export const editMany = (
  t: T,
  op: BulkDeed['op'],
  counted: PhraseKey,
  Form: ComponentType<BulkFormProps>,
): BulkDeed => ({
  key: 'edit',
  op,
  label: t('common:bulk.edit'),
  icon: 'edit',
  said: (count) => t('common:bulk.edited', { what: t(counted, { count }) }),
  form: (props) => <Form {...props} />,
})
