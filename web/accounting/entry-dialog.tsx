import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { localDay } from '../../contract/core/dates.ts'
import { journalApi, type LedgerAccount, outBy, takesHand } from '../../contract/journal.ts'
import { asApiError } from '../core/api/error.ts'
import { dropReads, queryClient, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { DateInput } from '../core/ui/date-input.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { Money } from '../core/ui/money.tsx'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { accountName } from './said.ts'

interface TypedLine {
  key: number
  accountGuid: string | null
  debitCents: number | null
  creditCents: number | null
}

const blank = (key: number): TypedLine => ({ key, accountGuid: null, debitCents: null, creditCents: null })
const isUntouched = ({ accountGuid, debitCents, creditCents }: TypedLine) =>
  accountGuid === null && !debitCents && !creditCents

/** Posts an entry by hand; it can't be sent before debits and credits agree. */
export function EntryDialog({ accounts, onClose }: { accounts: readonly LedgerAccount[]; onClose: () => void }) {
  const t = useT('accounting', 'record')
  const f = useFormat()
  const [today] = useState(() => localDay(new Date().toISOString(), f.zone))
  const [postedOn, setPostedOn] = useState<string | null>(today)
  const [narrative, setNarrative] = useState('')
  const [lines, setLines] = useState<readonly TypedLine[]>([blank(1), blank(2)])
  const post = useWrite(journalApi.post, {
    onSuccess: async () => {
      await dropReads(queryClient, ['Dev', 'Journal'])
      toast.success(t('accounting:journal.posted'))
      onClose()
    },
  })
  const choices = accounts
    .filter((account) => account.isActive && takesHand(account))
    .map(({ guid, code, name, role }) => ({ value: guid, label: `${code} ${accountName(name, role)}` }))
  const entered = lines.filter((line) => !isUntouched(line))
  const sums = entered.map(({ debitCents, creditCents }) => ({
    debitCents: debitCents ?? 0,
    creditCents: creditCents ?? 0,
  }))
  const off = outBy(sums)
  const totalCents = sums.reduce((sum, line) => sum + line.debitCents, 0)
  const isReady =
    postedOn !== null &&
    narrative.trim() !== '' &&
    entered.length > 1 &&
    off === 0 &&
    entered.every(
      ({ accountGuid, debitCents, creditCents }) => accountGuid && Boolean(debitCents) !== Boolean(creditCents),
    )
  const lacksAccount = off === 0 && entered.some(({ accountGuid }) => accountGuid === null)
  const problems = post.error ? asApiError(post.error).errors : []
  const problem = (path: string) => {
    const found = problems.find((one) => one.path === path)
    return found ? inLanguage(found.message) : null
  }
  const change = (key: number, part: Partial<TypedLine>) =>
    setLines((before) => before.map((line) => (line.key === key ? { ...line, ...part } : line)))
  const send = () => {
    if (!isReady || postedOn === null) return
    post.mutate({
      postedOn,
      narrative,
      lines: entered.map(({ accountGuid, debitCents, creditCents }) =>
        debitCents
          ? { accountGuid: accountGuid ?? '', debitCents }
          : { accountGuid: accountGuid ?? '', creditCents: creditCents ?? 0 },
      ),
    })
  }
  return (
    <AskDialog
      title={t('accounting:journal.add')}
      action={t('accounting:journal.post')}
      error={post.error}
      isBusy={post.isPending}
      isBlocked={!isReady}
      onAsk={send}
      onClose={onClose}
    >
      <div className="grid-2 form-grid">
        <DateInput
          label={t('accounting:journal.day')}
          required
          max={today}
          value={postedOn ?? ''}
          error={problem('postedOn')}
          onChange={setPostedOn}
        />
        <TextInput
          label={t('accounting:journal.text')}
          required
          maxLength={200}
          data-autofocus
          value={narrative}
          error={problem('narrative')}
          onChange={(event) => setNarrative(event.currentTarget.value)}
        />
      </div>
      <ul className="entry-lines">
        {lines.map((line, index) => {
          const position = f.number(index + 1)
          return (
            <li key={line.key}>
              <ChoiceInput
                label={t('accounting:trial.account')}
                aria-label={t('accounting:journal.accountOf', { position })}
                data={choices}
                value={line.accountGuid}
                error={problem(`lines.${entered.indexOf(line)}.accountGuid`)}
                onChange={(accountGuid) => change(line.key, { accountGuid })}
              />
              <MoneyInput
                label={t('accounting:journal.debit')}
                aria-label={t('accounting:journal.debitOf', { position })}
                value={line.debitCents}
                onChange={(debitCents) =>
                  change(line.key, { debitCents, ...(debitCents ? { creditCents: null } : {}) })
                }
              />
              <MoneyInput
                label={t('accounting:journal.credit')}
                aria-label={t('accounting:journal.creditOf', { position })}
                value={line.creditCents}
                onChange={(creditCents) =>
                  change(line.key, { creditCents, ...(creditCents ? { debitCents: null } : {}) })
                }
              />
              <IconTool
                icon="delete"
                label={t('accounting:journal.removeLine', { position })}
                isDisabled={lines.length <= 2}
                onClick={() => setLines((before) => before.filter(({ key }) => key !== line.key))}
              />
            </li>
          )
        })}
      </ul>
      <div className="row spread">
        <Button
          variant="light"
          size="sm"
          leftSection={<Icon name="create" size={18} />}
          disabled={lines.length >= 100}
          onClick={() => setLines((before) => [...before, blank(Math.max(...before.map(({ key }) => key)) + 1)])}
        >
          {t('accounting:journal.addLine')}
        </Button>
        <p className="no-margin strong" role="status">
          {off === 0 && !lacksAccount ? (
            <Money cents={totalCents} />
          ) : (
            <span className="overdue">
              {lacksAccount
                ? t('accounting:journal.choose')
                : t('accounting:journal.outBy', { amount: f.money(Math.abs(off)) })}
            </span>
          )}
        </p>
      </div>
    </AskDialog>
  )
}
