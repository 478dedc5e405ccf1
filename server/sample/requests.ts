import { addDays } from '../../contract/core/dates.ts'
import { requestFormsApi, requestsApi, serviceRequestsApi } from '../../contract/requests.ts'
import { newGuid } from '../core/guid.ts'
import { requestForms } from '../requests/request-forms.service.ts'
import { requests } from '../requests/requests.service.ts'
import { serviceRequests } from '../requests/sending.service.ts'
import { guest, onStage, play, type Stage } from './actors.ts'

const dayMs = 86_400_000

const forms = [
  {
    jobType: 'Event set-up',
    name: 'Events',
    slug: 'plan-your-event',
    heading: { en: 'Plan your event', fr: 'Préparez votre événement', ar: 'خطط لمناسبتك' },
    intro: {
      en: 'Tell us what you are planning and we’ll send you a quote within one working day.',
      fr: 'Dites-nous ce que vous préparez : vous recevrez un devis sous un jour ouvré.',
      ar: 'أخبرنا بما تخطط له وسنرسل إليك عرض سعر خلال يوم عمل واحد.',
    },
    thanks: {
      en: 'Thanks! We’ll send you a quote within one working day.',
      fr: 'Merci ! Vous recevrez un devis sous un jour ouvré.',
      ar: 'شكرًا! سنرسل إليك عرض سعر خلال يوم عمل واحد.',
    },
  },
  {
    jobType: 'Hoarding installation',
    name: 'Site hoarding',
    slug: 'site-hoarding',
    heading: { en: 'Hoarding for your site', fr: 'Palissades pour votre chantier', ar: 'سياج لموقعك' },
  },
] as const

const site = (line1: string, suburb: string, postcode: string) => ({ line1, suburb, state: 'NSW', postcode })

/** The last one is no lead. */
const sent = [
  {
    slug: 'plan-your-event',
    daysAgo: 6,
    name: 'Priya Raman',
    email: 'priya.raman@example.com',
    phone: '0400 555 010',
    wantedIn: 30,
    siteAddress: site('18 Fig Tree Lane', 'Lane Cove', '2066'),
    message: 'A garden party for 60 people. We have a lawn at the back, with a gate at the side.',
    answers: [{ option: 'access-notes', value: { text: 'The side gate is 1.2 m wide.' } }],
  },
  {
    slug: 'site-hoarding',
    daysAgo: 2,
    name: 'Tom Whitby',
    phone: '0400 555 020',
    siteAddress: site('4 Wharf Road', 'Balmain', '2041'),
    message: 'About 20 m along the footpath, from next month.',
  },
  {
    slug: 'site-hoarding',
    daysAgo: 9,
    name: 'Growth Partners',
    email: 'hello@growth.example',
    message: 'We bring you to the first page of every search.',
    isLead: false,
  },
] as const

/** Two public forms, and what people sent by them. */
export async function makeRequests(stage: Stage, today: string): Promise<void> {
  const jobTypes = await stage.deps.db.selectFrom('jobTypes').select(['guid', 'name']).execute()
  const at = (daysAgo: number): Stage => ({ ...stage, at: new Date(stage.at.getTime() - daysAgo * dayMs) })
  for (const { jobType, ...facts } of forms)
    await play(at(20), requestFormsApi.create, requestForms.create, {
      ...facts,
      jobTypeGuid: jobTypes.find(({ name }) => name === jobType)?.guid,
    })
  for (const { slug, daysAgo, ...facts } of sent) {
    const { wantedIn, isLead, ...body } = { wantedIn: null, isLead: true, ...facts }
    const given = { ...body, wantedOn: wantedIn && addDays(today, wantedIn) }
    const input = serviceRequestsApi.send.body.parse(given)
    const { reference } = await onStage({ ...at(daysAgo), by: guest(newGuid()) }, (ctx) =>
      serviceRequests.send(ctx, { slug, ...input }),
    )
    if (isLead) continue
    const { guid } = await stage.deps.db
      .selectFrom('requests')
      .select('guid')
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow()
    await play(at(daysAgo - 1), requestsApi.dismiss, requests.dismiss, { guid, version: 1 })
  }
}
