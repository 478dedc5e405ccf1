import { emailAccountsApi, type EmailAccount, type MailOfInstallation } from '../../contract/email-accounts.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { toast } from '../core/ui/toast.tsx'

interface Props {
  account: EmailAccount
  /** All that send, in the order they are tried. */
  accounts: readonly EmailAccount[]
  installation: MailOfInstallation
  onClose: () => void
}

/** Asks before an account is put away, and says what becomes of the emails that it sends. */
export function ArchiveDialog({ account, accounts, installation, onClose }: Props) {
  const t = useT('emails')
  const { guid, purpose, fromAddress: name } = account
  const remove = useWrite(emailAccountsApi.remove, { onSuccess: () => toast.success(t('emails:archived', { name })) })
  const others = accounts.filter((one) => one.guid !== guid && one.status === 'active')
  const taker = others.find((one) => one.purpose === purpose) ?? others.find((one) => one.purpose === 'general')
  const next = taker?.fromAddress ?? installation.host
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t('emails:archiveTitle', { name })}
      confirmLabel={t('emails:archive')}
      onConfirm={() => remove.mutateAsync({ guid })}
    >
      <p className="no-margin">{t('emails:archiveText')}</p>
      <p className="no-margin">
        {next ? t(`emails:archiveNext.${purpose}`, { next }) : t(`emails:archiveOutbox.${purpose}`)}
      </p>
    </ConfirmDialog>
  )
}
