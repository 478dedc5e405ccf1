import { pageOf } from '../../contract/nouns.ts'
import { bookingSelections } from '../../contract/places.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const bookingOptionPages: PageRoute[] = [
  {
    ...pageOf('BookingOptions', 'list'),
    ofOne: 'shows',
    layout: 'default',
    title: 'options:list.title',
    nav: { group: 'apps', icon: 'option', label: 'shell:nav.bookingOptions' },
    ns: ['record'],
    page: 'booking-options/booking-options-list.page.tsx',
  },
  {
    ...bookingSelections,
    layout: 'default',
    title: 'options:selections.title',
    nav: { group: 'apps', icon: 'answers', label: 'shell:nav.bookingSelections' },
    ns: ['options'],
    page: 'booking-options/selections-list.page.tsx',
  },
  {
    ...pageOf('BookingOptions', 'add'),
    ofOne: 'makes',
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
