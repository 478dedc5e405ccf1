import { pageOf } from '../../contract/nouns.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const bookingOptionPages: PageRoute[] = [
  {
    ...pageOf('BookingOptions', 'list'),
    layout: 'default',
    title: 'options:list.title',
    nav: { group: 'apps', icon: 'option', label: 'shell:nav.bookingOptions' },
    ns: ['record'],
    page: 'booking-options/booking-options-list.page.tsx',
  },
  {
    ...pageOf('BookingOptions', 'add'),
    layout: 'default',
    title: 'options:add.title',
    command: { icon: 'option', label: 'shell:command.newBookingOption' },
    ns: ['record'],
    page: 'booking-options/booking-option-add.page.tsx',
  },
  {
    ...pageOf('BookingOptions', 'view'),
    layout: 'default',
    title: 'options:label',
    ns: ['record'],
    page: 'booking-options/booking-option-edit.page.tsx',
  },
]
