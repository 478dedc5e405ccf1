import { emailTemplatesApi } from '../../contract/email-templates.ts'
import { emailTemplates } from '../email-templates/email-templates.service.ts'
import { play, type Stage } from './actors.ts'

const dayMs = 86_400_000
const texts = (subject: string, bodyHtml: string, button: string) => ({ subject, preheader: '', bodyHtml, button })

/** In three languages; still a draft, since nobody has checked it against the records. */
const beforeTheDay = {
  en: texts(
    'Before your day: order {{ order.number }}',
    `<p>Hello {{ customer.name }},</p>
      <p>We’ll be with you on <strong>{{ order.scheduledOn | date }}</strong>. This is what we bring:</p>
      <ul>{% for line in order.lines %}<li>{{ line.quantity | number }} × {{ line.name }}</li>{% endfor %}</ul>
      {% if site.line1 %}<p>The crew comes to {{ site.line1 }}, {{ site.suburb }}.</p>{% endif %}
      <p>Kind regards<br>{{ business.name }}</p>`,
    'View your order',
  ),
  fr: texts(
    'Avant votre jour : commande {{ order.number }}',
    `<p>Bonjour {{ customer.name }},</p>
      <p>Nous serons chez vous le <strong>{{ order.scheduledOn | date }}</strong>. Voici ce que nous apportons :</p>
      <ul>{% for line in order.lines %}<li>{{ line.quantity | number }} × {{ line.name }}</li>{% endfor %}</ul>
      {% if site.line1 %}<p>L’équipe vient au {{ site.line1 }}, {{ site.suburb }}.</p>{% endif %}
      <p>Cordialement<br>{{ business.name }}</p>`,
    'Voir votre commande',
  ),
  ar: texts(
    'قبل يومك: الطلب {{ order.number }}',
    `<p>مرحبًا {{ customer.name }}،</p>
      <p>سنكون عندك في <strong>{{ order.scheduledOn | date }}</strong>. هذا ما سنحضره:</p>
      <ul>{% for line in order.lines %}<li>{{ line.quantity | number }} × {{ line.name }}</li>{% endfor %}</ul>
      {% if site.line1 %}<p>يأتي الفريق إلى {{ site.line1 }}، {{ site.suburb }}.</p>{% endif %}
      <p>مع أطيب التحيات<br>{{ business.name }}</p>`,
    'عرض طلبك',
  ),
}

/** A template that is still being written beside those every business begins with. */
export async function makeEmailTemplates(stage: Stage): Promise<void> {
  const at = (daysAgo: number): Stage => ({ ...stage, at: new Date(stage.at.getTime() - daysAgo * dayMs) })
  const { template } = await play(at(12), emailTemplatesApi.create, emailTemplates.create, {
    kind: 'welcome',
    name: 'Before the day',
    category: 'transactional',
    languages: { en: beforeTheDay.en },
  })
  await play(at(4), emailTemplatesApi.update, emailTemplates.update, {
    guid: template.guid,
    version: template.version,
    languages: beforeTheDay,
  })
}
