import { plainLook } from '../../contract/dress.ts'
import { themesApi } from '../../contract/themes.ts'
import { themes } from '../businesses/theme-preview.service.ts'
import { play, type Stage } from './actors.ts'

const dayMs = 86_400_000

const usual = plainLook('#B25E00')
const festival = {
  ...usual,
  light: { ...usual.light, background: '#FBF6EF', text: '#33261A', muted: '#6E5B49', link: '#9A5200' },
  dark: {
    ...usual.dark,
    background: '#1F1811',
    surface: '#2C231A',
    text: '#F5E9DC',
    muted: '#C4AE98',
    link: '#FFB35C',
  },
  radius: 14,
  font: 'georgia' as const,
  footerHtml: {
    en: '<p>Marquees up and down, rain or shine. <strong>Festival season is October to April.</strong></p>',
    fr: '<p>Chapiteaux montés et démontés, par tous les temps. <strong>La saison va d’octobre à avril.</strong></p>',
    ar: '<p>ننصب الخيام ونفكّها في كل طقس. <strong>يمتد موسم المهرجانات من أكتوبر إلى أبريل.</strong></p>',
  },
}

/** A second theme beside the standard one: its first version is active, and its second not yet readable enough. */
export async function makeThemes(stage: Stage): Promise<void> {
  const at = (daysAgo: number): Stage => ({ ...stage, at: new Date(stage.at.getTime() - daysAgo * dayMs) })
  const made = await play(at(40), themesApi.create, themes.create, { name: 'Festival season', ...festival })
  const { theme } = await play(at(39), themesApi.activate, themes.activate, {
    guid: made.theme.guid,
    version: made.theme.version,
    versionGuid: made.theme.latest.guid,
  })
  await play(at(3), themesApi.update, themes.update, {
    guid: theme.guid,
    version: theme.version,
    light: { ...festival.light, muted: '#9A8A7A' },
  })
}
