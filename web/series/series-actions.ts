import { leadsFrom } from '../../contract/core/transitions.ts'
import { seriesRefusal } from '../../contract/series-actions.ts'
import { type Series, seriesApi, seriesTransitions } from '../../contract/series.ts'
import type { Format } from '../core/i18n/format.ts'
import type { T } from '../core/i18n/i18n.ts'
import type { ActionFacts } from '../record/actions.ts'

/** What can be done with a series, and why not now. */
export function seriesActions(series: Series, t: T, f: Format) {
  const { status } = series
  const refused = (deed: Parameters<typeof seriesRefusal>[0]) => {
    const refusal = seriesRefusal(deed, series)
    return { refusal: refusal && t(`series:why.${refusal}`) }
  }
  const isOpen = leadsFrom(seriesTransitions, 'update', status)
  const [next] = series.next
  return [
    {
      key: 'edit',
      op: seriesApi.update,
      label: t('series:editAction'),
      icon: 'edit',
      place: 'head',
      isHidden: !isOpen,
    },
    {
      key: 'run',
      op: seriesApi.run,
      label: t('series:run'),
      icon: 'quote',
      isHidden: status !== 'active',
      confirm: {
        title: t('series:run'),
        text: t(series.mode === 'send' ? 'series:runSends' : 'series:runText', { day: f.date(next) }),
      },
      ...refused('run'),
    },
    {
      key: 'start',
      op: seriesApi.status,
      label: t('series:start'),
      icon: 'next',
      place: 'main',
      isHidden: status !== 'draft',
      isNext: true,
      ...refused('start'),
    },
    {
      key: 'pause',
      op: seriesApi.status,
      label: t('series:pause'),
      icon: 'pause',
      place: 'main',
      isHidden: status !== 'active',
      confirm: { title: t('series:pause'), text: t('series:pauseText') },
      ...refused('pause'),
    },
    {
      key: 'resume',
      op: seriesApi.status,
      label: t('series:resume'),
      icon: 'next',
      place: 'main',
      isHidden: !leadsFrom(seriesTransitions, 'resume', status),
      isNext: true,
      ...refused('resume'),
    },
    {
      key: 'rise',
      op: seriesApi.planRise,
      label: t('series:rise.title'),
      icon: 'money',
      isHidden: !isOpen,
    },
    {
      key: 'cancel',
      op: seriesApi.status,
      label: t('series:cancel'),
      icon: 'stop',
      isDangerous: true,
      isHidden: !isOpen,
      confirm: { title: t('series:cancel'), text: t('series:cancelText'), reason: t('series:cancelReason') },
      ...refused('cancel'),
    },
  ] as const satisfies readonly ActionFacts[]
}
