import { ActionIcon } from '@mantine/core'
import { testCards, testWallets, type TestCard } from '../../contract/payments-test-cards.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip, type Tone } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import './dev.css'

const brands = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' }
const toneOf = ({ behaviour }: TestCard): Tone => {
  if (behaviour === 'succeeds') return 'success'
  if (behaviour === 'requires_action') return 'primary'
  return /^captures|later|late$/.test(behaviour) ? 'warning' : 'error'
}

/** `4242 4242 4242 4242`, and American Express as 4, 6, 5. */
const spaced = ({ number, brand }: TestCard) =>
  (brand === 'amex' ? [number.slice(0, 4), number.slice(4, 10), number.slice(10)] : (number.match(/.{4}/g) ?? [])).join(
    ' ',
  )

export function Page() {
  const t = useT('dev')
  const copy = (number: string) =>
    navigator.clipboard.writeText(number).then(
      () => toast.success(t('dev:cards.copied')),
      () => toast.error(t('dev:cards.notCopied')),
    )
  return (
    <>
      <PageHeader title={t('dev:cards.title')} subtitle={t('dev:cards.subtitle')} />
      <div className="stack cards">
        <Card isFlush>
          <div className="table-scroll" role="region" aria-label={t('dev:cards.title')} tabIndex={0}>
            <table className="plain-table test-cards">
              <thead>
                <tr>
                  <th scope="col">{t('dev:cards.number')}</th>
                  <th scope="col">{t('dev:cards.brand')}</th>
                  <th scope="col">{t('dev:cards.outcome')}</th>
                  <th scope="col">{t('dev:cards.meaning')}</th>
                </tr>
              </thead>
              <tbody>
                {testCards.map((card) => (
                  <tr key={card.number}>
                    <td>
                      <span className="row card-number">
                        <code className="tabular nowrap">{spaced(card)}</code>
                        <ActionIcon
                          variant="subtle"
                          color="gray"
                          c="inherit"
                          size={32}
                          aria-label={t('dev:cards.copy', { number: spaced(card) })}
                          title={t('dev:cards.copy', { number: spaced(card) })}
                          onClick={() => void copy(card.number)}
                        >
                          <Icon name="copy" size={18} />
                        </ActionIcon>
                      </span>
                    </td>
                    <td className="nowrap">{brands[card.brand]}</td>
                    <td>
                      <StatusChip
                        status={card.behaviour}
                        tone={toneOf(card)}
                        label={phraseOr(`dev:cards.behaviours.${card.behaviour}`, card.behaviour)}
                      />
                    </td>
                    <td>{phraseOr(`dev:cards.meanings.${card.behaviour}`, '')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Card>
        <Card title={t('dev:cards.alsoTitle')}>
          <ul className="plain-list">
            <li>{t('dev:cards.anyDate')}</li>
            <li>
              {t('dev:cards.wallets', {
                wallets: testWallets.map((wallet) => phraseOr(`dev:cards.walletNames.${wallet}`, wallet)).join(', '),
              })}
            </li>
            <li>{t('dev:cards.others')}</li>
          </ul>
        </Card>
      </div>
    </>
  )
}
