import { odditiesApi, type Oddity } from '../../contract/oddities.ts'
import { accounting } from '../../contract/places.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { Icon } from '../core/ui/icon.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { RecordLink } from '../record/record-link.tsx'

interface Props {
  from: string
  to: string
}

/** What to look at before a period is reported, each with what it is about; what blocks the lock comes first. */
export function Oddities({ from, to }: Props) {
  const t = useT('accounting')
  const read = useRead(odditiesApi.list, { from, to })
  return (
    <section className="stack report-oddities" aria-labelledby="bas-oddities">
      <h2 id="bas-oddities" className="card-title">
        {t('accounting:oddities.title')}
      </h2>
      <Loaded of={read}>
        {({ items }) => (
          <ul className="plain-list report-findings">
            {items.map((item) => (
              <li key={`${item.code} ${item.guid}`}>
                <Icon name="warning" size={18} />
                <span className="strong">{t(`accounting:oddities.codes.${item.code}`)}</span>
                <About item={item} to={to} />
                <span>
                  {unbroken(inLanguage(item.text))}
                  {item.blocks ? <span className="cell-sub">{t('accounting:oddities.blocks')}</span> : null}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

/** What an oddity is about: a document or payment, the ledger of an account, or the journal. */
function About({ item: { code, noun, guid, label }, to }: { item: Oddity; to: string }) {
  if (noun !== 'Journal')
    return (
      <RecordLink noun={noun} guid={guid}>
        {label}
      </RecordLink>
    )
  const place =
    code === 'suspense'
      ? `${accounting.ledger.path}?${new URLSearchParams({ account: guid, to }).toString()}`
      : accounting.journal.path
  return (
    <AppLink to={place} className="link">
      {label}
    </AppLink>
  )
}
